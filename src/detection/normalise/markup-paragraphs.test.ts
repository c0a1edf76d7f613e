/** The lines of mail and wikis that `<br>` breaks are read as lines, and masked where they are written. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { ParagraphReader } from './markup-paragraphs.ts'

const scanner = createScanner()
const value = filler(12)

function masked(text: string): string {
  let out = ''
  let at = 0
  for (const { start, end, confidence } of scanner.scan(text)) {
    if (confidence === 'weak') continue
    out += text.slice(at, start) + '[]'
    at = end
  }
  return out + text.slice(at)
}

/** The paragraphs of a text, as they read. */
function readIn(text: string): string[] {
  const reader = new ParagraphReader(text)
  const read: string[] = []
  for (let at = text.indexOf('<br'); at >= 0; at = text.indexOf('<br', at + 1)) {
    const paragraph = reader.read(at)
    if (paragraph !== undefined) read.push(paragraph.text)
  }
  return read
}

const documents: Readonly<Record<string, string>> = {
  'a command and its answer': `$ echo $REGISTRY_PASS${'WORD'}<br>\n${value}<br>\n$ ls`,
  'settings of a client': `[client]<br/>host = db.acme.dev<br/>user = ops<br/>pass${'word'} = <b>${value}</b>`,
  'a table': `host,user,pass${'word'}<br />db1,root,${value}<br />`,
  'a message': `The new login for the printer is below.<br>User: ana<br>Pass${'word'}:<br>${value}<br>See you`
}

test('the secret in a paragraph is masked, without its tags', () => {
  for (const [name, document] of Object.entries(documents))
    for (const [before, after] of [
      ['', ''],
      ['<html><body><p>Hi,</p><p style="margin:0">', '</p><p>Bye</p></body></html>'],
      ['<td class="mail"><span>', '</span></td>']
    ]) {
      const text = `${before}${document}${after}`
      assert.equal(masked(text), text.replace(value, '[]'), name)
    }
})

test('a paragraph begins and ends at tags, except those that only say how a word looks', () => {
  assert.deepEqual(readIn('<p>one</p><p>a <b>b</b><br>\n  c &lt;d&gt; &amp;\ne<br/>f < 3</p><p>two</p>'), [
    'a b\nc <d> & e\nf < 3'
  ])
  assert.deepEqual(readIn('<p>one<br>two</p> <td>three<BR>four<br></td>'), ['one\ntwo', 'three\nfour\n'])
  assert.deepEqual(readIn('<broker>one</broker> <b>two</b>'), [])
})

test('each part of a long paragraph is read once', () => {
  const line = 'the quick brown fox jumps over the lazy dog<br>'
  for (const count of [100, 400, 1000]) {
    const read = readIn(`<p>${line.repeat(count)}</p>`)
    assert.equal(read.join('').length, count * (line.length - '<br>'.length + 1))
  }
})
