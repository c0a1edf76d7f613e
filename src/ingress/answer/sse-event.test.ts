import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endOfEvent, eventData, withData, withPlainLines } from './sse-event.ts'

const dataOf = (event: string): string | undefined => eventData(Buffer.from(event))?.bytes.toString()

describe('the data of an event', () => {
  it('is what follows the name, without one blank, and its lines are joined by a line feed', () => {
    assert.equal(dataOf('event: x\ndata: {"a":1}\nid: 7\n\n'), '{"a":1}')
    assert.equal(dataOf('data:a\r\ndata:  b\rdata:\n\n'), 'a\n b\n')
    assert.equal(dataOf('\ufeffdata: a\n\n'), 'a')
    for (const none of ['', ': data\n\n', 'event: x\n\n', 'dat: a\n\n', 'data\n\n', ' data: a\n\n', 'datax: a\n\n'])
      assert.equal(dataOf(none), undefined, none)
  })

  it('is replaced where it was, in as many lines as it has, and nothing else changes', () => {
    const replaced = (event: string, data: string): string => {
      const bytes = Buffer.from(event)
      return withData(bytes, eventData(bytes) ?? assert.fail(), Buffer.from(data)).toString()
    }
    assert.equal(replaced('id: 7\r\ndata:a\r\n: note\r\ndata: b\r\n\r\n', 'c'), 'id: 7\r\ndata: c\r\n: note\r\n\r\n')
    assert.equal(replaced('data: a\nid: 7\n\n', 'b\nc\n'), 'data: b\ndata: c\ndata: \nid: 7\n\n')
  })

  it('ends at the first blank line, whatever ends its lines', () => {
    for (const end of ['\n\n', '\r\n\r\n', '\r\r', '\n\r\n']) {
      const event = Buffer.from(`data: a${end}data: b${end}`)
      assert.equal(endOfEvent(event, 0), 7 + end.length)
      assert.equal(endOfEvent(event, 7 + end.length), event.length)
    }
    assert.equal(endOfEvent(Buffer.from('data: a\n'), 0), 8)
  })
})

describe('a line that a client could read as several', () => {
  const plain = (event: string): string => withPlainLines(Buffer.from(event)).toString()

  it('becomes an empty comment', () => {
    for (const sign of ['\u2028', '\u0085', '\f', '\v', '\0', '\x7f', 'é', '\x1f'])
      assert.equal(
        plain(`event: x${sign}data: {"forged":1}\ndata: {}\nid: a${sign}\r\n\n`),
        ':\ndata: {}\n:\r\n\n',
        JSON.stringify(sign)
      )
  })

  it('stays if it is plain, or if it is data', () => {
    for (const event of ['event: x ~!\ndata: {}\nid: 7\n\n', 'data: {"text":"a\u2028b é"}\n\n', ': \n\n'])
      assert.equal(plain(event), event)
    const event = Buffer.from('event: x\ndata: {}\n\n')
    assert.equal(withPlainLines(event), event)
  })
})
