import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { indexJson } from '../../dialects/json/json-index.ts'
import { dialects } from '../../dialects/index.ts'
import { EditMembers } from '../../policy/restore/edit-arguments.ts'
import { RestorableValues, RestoreTable } from '../../policy/restore/restore.ts'
import { StreamRestorer } from './stream.ts'
import { cut, kinds, parsed, splitEvents, sse, type RestoredDialect, type Stream } from './stream.fixture.ts'
import { wayOf, wholeTextEdits } from './text.ts'

const [password, address] = ['hR7tqz"Wm2', 'zoe@corp.dev']
const [keyMark, mailMark] = ['DB_PASSWORD_7Q2MKX4TAB', 'EMAIL_7Q2MKX4TAB']
const values = new RestorableValues()
values.add('DB_PASSWORD', keyMark, password, true)
values.add('EMAIL', mailMark, address)
const planFor = (editor: string) => ({
  table: new RestoreTable(values, () => true),
  editTable: new RestoreTable(values, () => true, true),
  mayRestoreTool: () => true,
  editsFiles: (name: string) => name === editor,
  repeatMark: '<mark>'
})

/** A text with `<key>` and `<mail>` in it, once as the model writes it and once as the client reads it. */
const sent = (text: string): string =>
  text.replaceAll('<key>', keyMark).replaceAll('<KEY>', keyMark).replaceAll('<mail>', mailMark)
const told = (text: string): string =>
  text.replaceAll('<key>', password).replaceAll('<KEY>', keyMark).replaceAll('<mail>', address)

/** Arguments of an editing tool. `<key>` is restored in them, `<KEY>` is not. */
const edits: Readonly<Record<string, object>> = {
  'the text to be replaced and the new one': {
    file_path: '/shop/.env',
    old_string: 'KEY=<key>\nMAIL=<mail>',
    new_string: '# for <mail>\nKEY=<key>\n'
  },
  'with another order of letters in the names': { filePath: 'a', oldString: '<key>', newString: 'x\n<key>', n: 1.5e3 },
  'of the vendors': { command: 'str_replace', path: 'a', old_str: '<key>', new_str: 'x <key>', insert_line: null },
  'several in a list': {
    path: 'a',
    edits: [
      { oldText: 'a <key>', newText: '<key> b' },
      { oldText: 'c', newText: 'd <KEY>' }
    ]
  },
  'a connection string': {
    path: 'a',
    old_string: 'URL=postgres://shop:<key>@db.corp.dev/shop',
    new_string: 'URL=postgres://shop:<key>@db.corp.dev/shop?ssl=true'
  },
  'a web address': { path: 'a', old_string: '<key>', new_string: 'https://a.example/?q=<KEY>' },
  'a patch': { input: '*** Begin Patch\n*** Update File: .env\n@@\n-A=<KEY>\n+A=<KEY>\n*** End Patch' },
  'the first line of a block that is looked for loosely': {
    filePath: 'a',
    oldString: 'A=<key>\nB=1\nC=2',
    newString: '# two\nA=<key>\nB=1\nC=2'
  },
  'a line in the middle of a block that is looked for loosely': {
    filePath: 'public.html',
    oldString: '<html>\n<KEY>\n</html>',
    newString: '<html>\n<p><KEY></p>\n</html>'
  },
  'a new text that comes before the old one': { path: 'a', new_string: '<KEY>', old_string: '<key>' },
  'a new text whose old one has no key': { path: 'public.html', old_string: '<body>', new_string: '<body><KEY>' },
  'an old text of another pair of names': { path: 'a', old_str: '<key>', old_string: 'x', new_string: '<KEY>' },
  'an old text inside of something else': { old_string: 'x', more: { old_string: '<key>' }, new_string: '<KEY>' },
  'a whole file': { file_path: '/shop/.env', content: 'KEY=<KEY>\nMAIL=<mail>' },
  'the path and other fields': { path: '<KEY>', note: '<KEY>', list: ['<KEY>', ['<KEY>']] },
  'a text that reads like arguments': {
    path: 'a',
    old_string: '{"old_string":"x"',
    new_string: '","old_string":"<KEY>'
  }
}

function streamed(dialect: RestoredDialect, stream: Stream, pieces: readonly string[], editor: string): string {
  const reader = dialects[dialect].createAnswerReader?.()
  assert.ok(reader)
  const restorer = new StreamRestorer(reader, planFor(editor), { restored: 0, left: 0 })
  const events = [...splitEvents(Buffer.from(sse(stream.frames(pieces), '\n')))]
  const out = [...events.map((event) => restorer.push(event)), restorer.end()]
  return stream.joined(parsed(Buffer.concat(out).toString()))
}

/** The values of an object, with `change` applied to its texts. */
const changed = (value: unknown, change: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(value), (_key, one: unknown) => (typeof one === 'string' ? change(one) : one))

/** What a tool that does not edit files gets. */
const toldElsewhere = (text: string): string => told(text.replaceAll('<key>', '<KEY>'))

describe('an edit of a file', () => {
  for (const [dialect, stream, isJson, what] of kinds) {
    test(`${dialect}, ${what}: keys are restored only where they were before the edit, wherever the stream is cut`, () => {
      fc.assert(
        fc.property(fc.constantFrom(...Object.values(edits)), fc.array(fc.nat(), { maxLength: 12 }), (edit, cuts) => {
          const isArguments = what === 'arguments'
          const write = (one: unknown): string =>
            isJson ? JSON.stringify(one) : Object.values(one as object).join('\n')
          const pieces = cut(write(changed(edit, sent)), cuts)
          const atEditor = write(changed(edit, isArguments ? told : toldElsewhere))
          assert.equal(streamed(dialect, stream, pieces, isArguments ? 'edit' : 'none'), atEditor)
          assert.equal(streamed(dialect, stream, pieces, 'shell'), write(changed(edit, toldElsewhere)))
        }),
        { numRuns: 300 }
      )
    })
  }

  test('is one also if a server sends an empty name before its name, and with every later piece', () => {
    const [, chatArguments] = kinds.find(([dialect, , isJson]) => dialect === 'chat-completions' && isJson) ?? kinds[0]
    const calls = (pieces: readonly string[]) =>
      ['', '', ...pieces].map((text, i) => ({ index: 0, function: { name: i === 2 ? 'edit' : '', arguments: text } }))
    const stream: Stream = {
      ...chatArguments,
      frames: (pieces) => calls(pieces).map((call) => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }))
    }
    for (const edit of Object.values(edits)) {
      const pieces = cut(JSON.stringify(changed(edit, sent)), [9, 20, 31])
      assert.equal(streamed('chat-completions', stream, pieces, 'edit'), JSON.stringify(changed(edit, told)))
    }
  })

  /** The texts of arguments that arrive as an object, as the client gets them. */
  function ofObject(tool: string, input: string): string[] {
    const reader = dialects.messages.createAnswerReader?.()
    assert.ok(reader)
    const indexed = indexJson(
      Buffer.from(`{"type":"message","content":[{"type":"tool_use","id":"t","name":"${tool}","input":${input}}]}`),
      {
        depthMax: 64,
        valuesMax: 1000,
        bytesPerStep: Infinity,
        decodeUtf8: (from, start, end) => Buffer.from(from).toString('utf8', start, end)
      }
    ).next()
    assert.ok(indexed.done === true)
    const members = new EditMembers()
    return reader.read(indexed.value).texts.map((text) => {
      const source = indexed.value.text(text.node)
      const way = wayOf(text, planFor('edit'), members)
      let out = ''
      let from = 0
      for (const one of wholeTextEdits(text.node, source, way, { restored: 0, left: 0 })) {
        assert.ok('start' in one)
        out += source.slice(from, one.start) + one.replacement
        from = one.end
      }
      return out + source.slice(from)
    })
  }

  test('arguments that arrive as an object are restored like those of a stream', () => {
    for (const [name, edit] of Object.entries(edits)) {
      for (const [tool, change] of [
        ['edit', told],
        ['Bash', toldElsewhere]
      ] as const) {
        const wanted: string[] = []
        changed(changed(edit, change), (text) => {
          wanted.push(text)
          return text
        })
        assert.deepEqual(ofObject(tool, JSON.stringify(changed(edit, sent))), wanted, `${name}, ${tool}`)
      }
    }
  })

  /** `<mark>` stands where the client gets a text that no file holds. */
  const repeats = [
    '{"path":"a","old_string":"<key>","new_string":"<key>","old_string":"<mark><body>"}',
    '{"old_string":"<key>","new_string":"x <key> y","more":{"a":[1,"b"]}, "old_string" : "<mark>","n":1}',
    String.raw`{"old_string":"<key>\n","new_string":"<key>","Old_String":"<mark><body>\n<KEY>"}`,
    '{"edits":[{"oldText":"<key>","newText":"<key>","old_text":"<mark><body>"}]}',
    String.raw`{"old_str":"<key>","new_str":"<key>","old\u005fstr":"<mark>\u003cbody>","new_str":"<KEY>"}`,
    '{"old_string":"<body>","old_string":"<key>","new_string":"<KEY>"}',
    '{"old_string":"<key>","old_str":"<key>","new_str":"<KEY>"}'
  ]
  const inJson = JSON.stringify(password).slice(1, -1)

  for (const [dialect, stream, , what] of kinds.filter(([, , isJson, name]) => isJson && name === 'arguments')) {
    test(`${dialect}, ${what}: an edit with a second old text is one that the client refuses, wherever the stream is cut`, () => {
      fc.assert(
        fc.property(fc.constantFrom(...repeats), fc.array(fc.nat(), { maxLength: 12 }), (source, cuts) => {
          const pieces = cut(sent(source.replace('<mark>', '')), cuts)
          assert.equal(streamed(dialect, stream, pieces, 'edit'), told(source).replaceAll(password, inJson))
        }),
        { numRuns: 300 }
      )
    })
  }

  test('an edit with a second old text that arrives as an object is one that the client refuses', () => {
    for (const source of repeats) {
      const texts = [...source.matchAll(/:\s*"([^"]*)"|\["?(?:1,)?"(\w)"/g)].map(
        ([, text, listed]) => text ?? listed ?? ''
      )
      const wanted = texts.map((text) => told(JSON.parse(`"${text}"`) as string))
      assert.deepEqual(ofObject('edit', sent(source.replace('<mark>', ''))), wanted, source)
    }
  })

  test('text that is not JSON is not an edit', () => {
    for (const source of [
      `{'old_string': "${keyMark}"}`,
      `x{"old_string":"${keyMark}"}`,
      `${'['.repeat(40)}{"old_string":"${keyMark}"}`
    ]) {
      const way = wayOf({ node: 0, form: 'json', tool: 'edit' }, planFor('edit'))
      assert.deepEqual(wholeTextEdits(0, source, way, { restored: 0, left: 0 }), [], source)
    }
  })

  test('a member name written with escapes is the name that it stands for', () => {
    const way = () => wayOf({ node: 0, form: 'json', tool: 'edit' }, planFor('edit'))
    const count = (source: string) => wholeTextEdits(0, source, way(), { restored: 0, left: 0 }).length
    assert.equal(count(String.raw`{"old\u005fstring":"${keyMark}","new_string":"${keyMark}"}`), 2)
    assert.equal(count(String.raw`{"old\u005fstrings":"${keyMark}","new_string":"${keyMark}"}`), 0)
    assert.equal(count(String.raw`{"old_string":"\"}","x":"${keyMark}"}`), 0)
  })
})
