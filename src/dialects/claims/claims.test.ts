import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatCompletions } from '../chat-completions/chat-completions.ts'
import { finish, indexOf } from '../json/indexing.fixture.ts'
import { messages } from '../messages/messages.ts'
import { base64, jpeg, planOf, png, seal, wav } from '../plan/planning.fixture.ts'

const user = 'masked user'
const encodedText = 'masked document base64'
const uriText = 'masked document data-uri'
const sealedMedia = 'sealed user'
const words = base64('Some words of a document, and then some more of them.')
const samples = Buffer.from('\x01\0\xfe\xff\x02\0\xfd\xff\x03\0\xfc\xff', 'latin1').toString('base64')
const svg = base64('<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>')
const pdf = base64('%PDF-1.7\n1 0 obj\n<<>>')

/** All unusual spellings of canonical base64, as the content of a JSON string. */
function spellingsOf(data: string): readonly string[] {
  return [
    data,
    data.replaceAll(/.{20}/g, '$&\\n'),
    `${data.replaceAll(/.{19}/g, '$&\\r\\n')}\\n`,
    `  ${data}\\t`,
    data.replaceAll(/.{4}/g, '$& '),
    data.replaceAll('+', '\\u002B').replaceAll('/', '\\/'),
    data.replaceAll(/[A-M]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    data.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    `${data.slice(0, 8)}==${data.slice(8)}`
  ]
}

interface Found {
  readonly label: string | undefined
  readonly mediaParts: number
}

/** @param data content of a JSON string, put into the source of a block */
function inSource(mediaType: string, data: string): Found {
  const source = `{"type":"base64","media_type":"${mediaType}","data":"${data}"}`
  const body = `{"messages":[{"role":"user","content":[{"type":"image","source":${source}}]}]}`
  const { labels, plan } = planOf(messages, body)
  return { label: labels['/messages/0/content/0/source/data'], mediaParts: plan.mediaParts }
}

function inPart(type: string, field: string, value: string): Found {
  const body = `{"messages":[{"role":"user","content":[{"type":"${type}","${type}":{"${field}":"${value}"}}]}]}`
  const { labels, plan } = planOf(chatCompletions, body)
  return { label: labels[`/messages/0/content/0/${type}/${field}`], mediaParts: plan.mediaParts }
}

const inUrl = (value: string): Found => inPart('image_url', 'url', value)

describe('payloads: odd spellings', () => {
  it('are encoded text if their type is text or unknown', () => {
    for (const data of spellingsOf(words)) {
      assert.deepEqual(inSource('text/plain', data), { label: encodedText, mediaParts: 0 }, data)
      assert.deepEqual(inSource('application/x-new', data), { label: encodedText, mediaParts: 1 }, data)
      assert.deepEqual(inPart('file', 'file_data', data), { label: encodedText, mediaParts: 1 }, data)
      assert.deepEqual(inUrl(`data:text/plain;base64,${data}`), { label: uriText, mediaParts: 0 }, data)
    }
    assert.equal(inUrl(`data:text/plain;base64,${encodeURIComponent(base64('a'))}`).label, uriText)
  })

  it('are sealed if they are media', () => {
    for (const data of spellingsOf(jpeg)) {
      assert.deepEqual(inSource('image/jpeg', data), { label: sealedMedia, mediaParts: 1 }, data)
      assert.deepEqual(inUrl(`data:image/jpeg;base64,${data}`), { label: sealedMedia, mediaParts: 1 }, data)
    }
    for (const data of [...spellingsOf(wav), ...spellingsOf(samples)])
      assert.deepEqual(inPart('input_audio', 'data', data), { label: sealedMedia, mediaParts: 1 }, data)
    for (const data of spellingsOf(pdf)) assert.equal(inPart('file', 'file_data', data).label, 'sealed document', data)
    assert.equal(inSource('image/png', png.replaceAll(/.{7}/g, '$& ')).label, sealedMedia)
  })

  it('hold no signature if they could be a sentence', () => {
    const labelOf = (signature: string): string | undefined => {
      const block = `{"type":"thinking","thinking":"x","signature":"${signature}"}`
      const { labels } = planOf(messages, `{"messages":[{"role":"assistant","content":[${block}]}]}`)
      return labels['/messages/0/content/0/thinking']
    }
    assert.equal(labelOf(seal), 'sealed assistant')
    assert.equal(labelOf(seal.replaceAll('+', '\\u002B').replaceAll('/', '\\u002f')), 'sealed assistant')
    for (const signature of ['plain words here really', `${seal} `, seal + seal, `${seal}=`])
      assert.equal(labelOf(signature), 'watched assistant', signature)
  })
})

describe('payloads: media have to look like media', () => {
  const rows: readonly (readonly [mediaType: string, data: string, label: string, mediaParts: number])[] = [
    ['image/png', png, sealedMedia, 1],
    ['image\\/png', png, sealedMedia, 1],
    ['image/png;q=1', png, sealedMedia, 1],
    ['image/webp', jpeg, sealedMedia, 1],
    ['image/png', samples, sealedMedia, 1],
    ['image/png', words, encodedText, 1],
    ['audio/wav', words, encodedText, 1],
    ['application/pdf', words, encodedText, 1],
    ['application/pdf', pdf, sealedMedia, 1],
    ['image/png', svg, encodedText, 1],
    ['image/svg+xml', svg, encodedText, 0],
    ['image/png', 'my words', encodedText, 1],
    ['image/png', 'my words!', user, 0],
    ['text\\u002fplain', words, encodedText, 0],
    ['text/plain; charset=utf-8', words, encodedText, 0]
  ]
  for (const [mediaType, data, label, mediaParts] of rows) {
    it(`${mediaType} ${data.slice(0, 24)}: ${label}`, () => {
      assert.deepEqual(inSource(mediaType, data), { label, mediaParts })
    })
  }

  const typeRows: readonly (readonly [type: string, source: string, mediaParts: number])[] = [
    ['is none', '', 1],
    ['is no string', '"media_type":{"is":"text/plain"},', 1],
    ['is the longest that is read', `"media_type":"text/${'x'.repeat(1531)}",`, 0],
    ['is longer than any', `"media_type":"text/${'x'.repeat(1532)}",`, 1]
  ]
  for (const [type, member, mediaParts] of typeRows) {
    it(`and are unknown where their type ${type}: ${mediaParts}`, () => {
      const source = `{"type":"base64",${member}"data":"${words}"}`
      const body = `{"messages":[{"role":"user","content":[{"type":"image","source":${source}}]}]}`
      const { labels, plan } = planOf(messages, body)
      assert.equal(labels['/messages/0/content/0/source/data'], encodedText)
      assert.equal(plan.mediaParts, mediaParts)
    })
  }

  it('whose type could be anything are read, whatever they look like', () => {
    assert.deepEqual(inSource('application/x-new', pdf), { label: encodedText, mediaParts: 1 })
    for (const data of [png, jpeg]) assert.equal(inPart('file', 'file_data', data).label, encodedText)
  })

  it('are ordinary text with percent signs, also where a URL is expected', () => {
    assert.deepEqual(inPart('file', 'file_data', `${words}%2B`), { label: 'masked document', mediaParts: 0 })
    assert.deepEqual(inUrl(words), { label: user, mediaParts: 0 })
  })

  it('have the scope of their surroundings', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: words } }
    const result = { type: 'tool_result', content: [image] }
    const { labels } = planOf(messages, {
      messages: [
        { role: 'user', content: [result] },
        { role: 'assistant', content: [image] }
      ]
    })
    assert.equal(labels['/messages/0/content/0/content/0/source/data'], 'masked tool_result base64')
    assert.equal(labels['/messages/1/content/0/source/data'], 'watched assistant base64')
  })
})

describe('the name of a media type', () => {
  const labelOf = (mediaType: string): string | undefined => {
    const source = { type: 'base64', media_type: mediaType, data: png }
    const { labels } = planOf(messages, { messages: [{ role: 'user', content: [{ type: 'image', source }] }] })
    return labels['/messages/0/content/0/source/media_type']
  }

  it('is left alone if it is one, and text if it says more', () => {
    for (const type of ['image/png', 'application/vnd.ms-excel', 'image/svg+xml', 'x_Y/Z-0.9', 'x'.repeat(128)])
      assert.equal(labelOf(type), 'sealed user', type)
    for (const type of ['', 'ana@corp.example', 'image/png;q=1', 'image png', 'image/é', 'x'.repeat(129)])
      assert.equal(labelOf(type), user, type)
  })
})

describe('arguments of a tool', () => {
  const call = (text: string): Found => {
    const tool = { type: 'function', function: { name: 'f', arguments: text } }
    const { labels, plan } = planOf(chatCompletions, { messages: [{ role: 'assistant', tool_calls: [tool] }] })
    return { label: labels['/messages/0/tool_calls/0/function/arguments'], mediaParts: plan.mediaParts }
  }

  it('are JSON if they begin as an object or an array, after blanks too', () => {
    for (const text of ['{"a":1}', '[1]', '   {"a":1}', ' [1]', '{', '[', ' {'])
      assert.deepEqual(call(text), { label: 'watched assistant json', mediaParts: 0 }, text)
  })

  it('are plain text if they begin as anything else', () => {
    for (const text of ['', ' ', '   ', '"a"', '1', '!{}', '~[]', 'Z[1]', '|{}', '\\{}', '\n{}'])
      assert.deepEqual(call(text), { label: 'watched assistant', mediaParts: 0 }, text)
  })
})

describe('payloads: heads of data URIs', () => {
  const rows: readonly (readonly [uri: string, label: string])[] = [
    [`data:text/plain;base64,${words}`, uriText],
    [`DATA:Text/Plain;BASE64,${words}`, uriText],
    [`data:text\\u002fplain;base64,${words}`, uriText],
    [`data:text\\/plain;base64,${words}`, uriText],
    [`\\u0064ata\\u003atext/plain\\u003bbase64\\u002c${words}`, uriText],
    [` \\n data:text/plain ; base64 ,${words}`, uriText],
    [`da\\nta:text/plain;base\\t64,${words}`, uriText],
    [`data:;base64,${words}`, uriText],
    [`data:text/plain;name=${'n'.repeat(400)};charset=utf-8;base64,${words}`, uriText],
    [`data:text/plain;base64;charset=utf-8,${words}`, uriText],
    [`data:text/plain;name=größe;base64,${words}`, uriText],
    [`data:image/png;name=${'n'.repeat(400)};base64,${png}`, sealedMedia],
    [`data:image\\/png;base64,${png}`, sealedMedia],
    [`data:image/png;base64,${words}`, uriText],
    [`data:image/svg+xml;base64,${svg}`, uriText],
    [`data:application/pdf;base64,${pdf}`, sealedMedia],
    ['data:image/png;base64,my words', uriText],
    ['data:image/png;base64,my words!', user],
    ['data:text/plain,hello%20x', user],
    ['data:text/plain;charset=utf-8,YWJj', user],
    [`data:text/plain;${words}`, user],
    [`data;base64,${words}`, user],
    [`base64,${words}`, user],
    ['data:text/plain;base64,', user],
    ['data:', user],
    ['https://a.example/;base64,YWJj', user],
    ['', user]
  ]
  for (const [uri, label] of rows) {
    it(`${uri.slice(0, 60)}: ${label}`, () => assert.equal(inUrl(uri).label, label))
  }

  it('of any length are read in steps', () => {
    const uri = `data:text/plain;name=${'n'.repeat(1_000_000)};base64,${words}`
    const part = { type: 'image_url', image_url: { url: uri } }
    const steps = finish(chatCompletions.plan(indexOf({ messages: [{ role: 'user', content: [part] }] })))
    assert.ok(steps.yields > 20)
    const texts = [...steps.value.texts]
    assert.equal(texts.at(-1)!.encoding, 'data-uri')
  })
})
