import assert from 'node:assert/strict'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import { memoryValuesMax, ValueMemory } from './memory.ts'
import { filler, base64Letters } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import type { Finding } from '../findings.ts'
import { blockUnits, TextBlock } from './text-block.ts'

const scanner = createScanner()
const ssn = (join: string) => ['536', '22', '8726'].join(join)
const places = (findings: readonly Finding[]) =>
  findings.map(({ kind, tier, confidence, start, end }) => ({ kind, tier, confidence, start, end }))
const high = (start: number, end: number) => ({ kind: 'us_ssn', tier: 'high', confidence: 'strong', start, end })

function blockOf(text: string): TextBlock {
  const block = new TextBlock()
  block.load(text, 0, text.length)
  return block
}

test('a value found by its context is found again in later texts, in all its forms', () => {
  const memory = scanner.createMemory()
  assert.deepEqual(scanner.scan('row ' + ssn(''), memory), [])
  assert.equal(memory.size, 0)
  scanner.scan('my SSN is ' + ssn('-'), memory)
  assert.equal(memory.size, 1)
  for (const join of ['', '-', ' ', '.']) {
    const text = 'row ' + ssn(join) + ';'
    assert.deepEqual(places(scanner.scan(text, memory)), [high(4, text.length - 1)])
  }
  for (const other of [
    'x' + ssn(''),
    'row ' + ssn('') + '1',
    'row ' + ssn('--'),
    'row ' + ssn('').replace(/^.{5}/, '$&--'),
    'row ' + ['536', '22', '8727'].join('-')
  ]) {
    assert.deepEqual(
      scanner.scan(other, memory).filter((one) => one.confidence === 'strong'),
      [],
      other
    )
  }
  assert.deepEqual(scanner.scan('row ' + ssn('')), [])
  // The letter of an escape is not part of the word behind it.
  assert.deepEqual(places(scanner.scan('row\\n' + ssn(''), memory)), [high(5, 14)])
})

test('in one text, later places are found and earlier ones are not', () => {
  const gap = ' '.repeat(70)
  const text = ssn('') + gap + 'ssn ' + ssn('') + gap + ssn('')
  const first = text.indexOf('ssn') + 4
  assert.deepEqual(places(scanner.scan(text, scanner.createMemory())), [
    high(first, first + 9),
    high(text.length - 9, text.length)
  ])
})

test('a value that is not only digits is remembered as well', () => {
  const memory = scanner.createMemory()
  const secret = filler(40, base64Letters, 11)
  scanner.scan(`aws_secret_access_key = ${secret}`, memory)
  assert.deepEqual(
    scanner.scan(`use "${secret}" there`, memory).map((one) => [one.kind, one.start, one.end]),
    [['aws_secret_access_key', 5, 45]]
  )
})

test('a value found without context is not remembered', () => {
  const memory = scanner.createMemory()
  scanner.scan('write to jane@acme.dev', memory)
  assert.equal(memory.size, 0)
})

test('an ordinary word that a program assigns is not remembered, another password is', () => {
  const assigned = (value: string) => `ssh-keygen -t rsa -N '${value}'\nPASSWORD="${value}"\n`
  for (const word of ['osquery', 'xlsxwriter', 'Ubuntu', 'UBUNTU', 'some_passage']) {
    const memory = scanner.createMemory()
    const found = scanner.scan(assigned(word), memory)
    assert.deepEqual(scanner.scan(`import ${word}\n`, memory), [], word)
    for (const finding of found) assert.equal(memory.remember(assigned(word), finding), true)
    assert.deepEqual(scanner.scan(`import ${word}\n`, memory), [], word)
  }
  for (const value of ['Kestrel4821', 'xkqjzvwtrb', 'kestrel-lantern-harbor-41']) {
    const memory = scanner.createMemory()
    assert.ok(scanner.scan(assigned(value), memory).length > 0, value)
    assert.equal(scanner.scan(`import ${value}\n`, memory).length, 1, value)
  }
})

test('a password stated in a message is remembered if it hardly is a word', () => {
  const told = { kind: 'password_in_prose', group: 'secret', tier: 'medium', confidence: 'medium' } as const
  for (const [value, times] of [
    ['wqzuxkhpt', 1],
    ['Bananenbrot', 0]
  ] as const) {
    const memory = scanner.createMemory()
    assert.equal(memory.remember(value, { ...told, start: 0, end: value.length }), true)
    assert.equal(scanner.scan(`we typed ${value} there`, memory).length, times, value)
  }
})

test('a value found by its shape is recognised as a whole word, where that is requested', () => {
  const memory = scanner.createMemory()
  const address = 'jane@acme.dev'
  const told = 'write to ' + address
  const [finding] = scanner.scan(told, memory) as [Finding]
  assert.equal(memory.remember(told, finding), true)
  assert.equal(memory.remember(told, finding), true)
  const odd = `=${address}=`
  assert.ok(scanner.scan(odd, memory).some(({ start, end }) => odd.slice(start, end) === address))
})

test('values that cannot be remembered are reported: short ones, and those with separators in a row', () => {
  const memory = scanner.createMemory()
  const like = (end: number): Finding => ({
    kind: 'us_ssn',
    group: 'national_id',
    tier: 'high',
    confidence: 'strong',
    start: 0,
    end
  })
  for (const value of ['12345', '1-2-3-4', '536--22--8726', ' 536228726', 'x'.repeat(600)])
    assert.equal(memory.remember(value, like(value.length)), false, value)
})

test('a remembered value only becomes more severe, from the place that shows it on', () => {
  const memory = new ValueMemory()
  const value = filler(20)
  const at = (kind: string, tier: Finding['tier'], start: number): Finding => ({
    kind,
    group: 'secret',
    tier,
    confidence: 'strong',
    start,
    end: start + 20
  })
  const text = `${value} ${value} ${value}`
  memory.keep(text, at('public_key', 'low', 0), memory.nextText())
  memory.keep(text, at('secret_key', 'high', 21), 1)
  memory.keep(text, at('public_key', 'low', 42), 1)
  const recalled = (textNumber: number): string[] => {
    const found: Finding[] = []
    memory.recall(text, blockOf(text), textNumber, found)
    return found.map(({ start, kind }) => `${start} ${kind}`)
  }
  assert.deepEqual(recalled(1), ['21 public_key', '42 secret_key'])
  assert.deepEqual(recalled(memory.nextText()), ['0 secret_key', '21 secret_key', '42 secret_key'])
})

test('a weak value is rated anew by a sure finding of any tier, and a sure one by no weak finding', () => {
  const value = filler(20)
  const rated = (...ratings: readonly (readonly [Finding['tier'], Finding['confidence']])[]) => {
    const memory = new ValueMemory()
    for (const [tier, confidence] of ratings)
      memory.keep(value, { kind: 'k', group: 'secret', tier, confidence, start: 0, end: 20 }, memory.nextText())
    const found: Finding[] = []
    memory.recall(value, blockOf(value), memory.nextText(), found)
    return found.map(({ tier, confidence }) => `${tier} ${confidence}`)
  }
  assert.deepEqual(rated(['high', 'weak'], ['medium', 'medium']), ['medium medium'])
  assert.deepEqual(rated(['medium', 'medium'], ['high', 'weak']), ['medium medium'])
  assert.deepEqual(rated(['high', 'weak'], ['high', 'weak']), ['high weak'])
})

test('a later text never changes the findings of an earlier one', () => {
  const piece = fc.constantFrom(
    'ssn ',
    ssn('-'),
    ssn(''),
    ' and ',
    '"nhs": ',
    ['943', '476', '5919'].join(' '),
    '\n',
    'phone 06 12 34 56 78',
    '0612345678'
  )
  const texts = fc.array(
    fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
    { maxLength: 6 }
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 6 }), (all, kept) => {
      const scanAll = (list: readonly string[]) => {
        const memory = scanner.createMemory()
        return list.map((text) => scanner.scan(text, memory))
      }
      assert.deepEqual(scanAll(all).slice(0, kept), scanAll(all.slice(0, kept)))
    })
  )
})

test('the memory is bounded and keeps its oldest values', () => {
  const memory = new ValueMemory()
  const finding = (end: number): Finding => ({
    kind: 'k',
    group: 'secret',
    tier: 'high',
    confidence: 'strong',
    start: 0,
    end
  })
  for (let i = 0; i <= memoryValuesMax; i++) {
    const value = 'v' + String(i).padStart(7, '0')
    memory.keep(value, finding(value.length), memory.nextText())
  }
  assert.equal(memory.size, memoryValuesMax)
  const recalled = (text: string) => {
    const found: Finding[] = []
    memory.recall(text, blockOf(text), memory.nextText(), found)
    return found.length
  }
  assert.equal(recalled('v0000000'), 1)
  assert.equal(recalled('v' + String(memoryValuesMax).padStart(7, '0')), 0)
})

test('of values that begin alike, those of sixteen lengths are remembered, and the others said not to be', () => {
  const memory = scanner.createMemory()
  const remembers = (length: number) => {
    const value = filler(60).slice(0, length)
    const like = { kind: 'k', group: 'secret', tier: 'high', confidence: 'strong', start: 0, end: length } as const
    return memory.remember(value, like)
  }
  const lengths = Array.from({ length: 16 }, (_, place) => 20 + place)
  assert.ok(lengths.every(remembers))
  assert.equal(remembers(36), false)
  assert.equal(remembers(35), true)
})

test('recalling is linear, even if every character may begin a value', () => {
  class CountedText extends String {
    reads = 0
    override charCodeAt(index: number): number {
      this.reads++
      return super.charCodeAt(index)
    }
  }
  const memory = new ValueMemory()
  for (let length = 6; length < 256; length += 20) {
    const value = '1'.repeat(length)
    memory.keep(value, { kind: 'k', group: 'secret', tier: 'high', confidence: 'strong', start: 0, end: length }, 1)
  }
  for (const unit of ['1', '1-', '1 ', '1'.repeat(250) + '-', '1-'.repeat(12) + '1'.repeat(250) + ' ']) {
    const plain = unit.repeat(Math.ceil(8_000 / unit.length)).slice(0, blockUnits)
    const text = new CountedText(plain)
    memory.recall(text as unknown as string, blockOf(plain), 2, [])
    assert.ok(text.reads <= 60 * text.length, `${unit.slice(0, 8)}: ${text.reads / text.length} reads a unit`)
  }
})

test('few values, searched by their first characters, are found as in a block, however the text is divided', () => {
  const value = fc.string({ unit: fc.constantFrom(...'ab1é'), minLength: 6, maxLength: 8 })
  const rest = fc.string({ unit: fc.constantFrom(...'ab1 -.xé\\'), maxLength: 30 })
  let found = 0
  let few = 0
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 3 }),
      fc.array(rest, { maxLength: 4 }),
      fc.nat(60),
      (values, rests, cut) => {
        const memory = new ValueMemory()
        for (const one of values) {
          const finding = {
            kind: 'k',
            group: 'secret',
            tier: 'high',
            confidence: 'strong',
            start: 0,
            end: one.length
          } as const
          memory.keep(one, finding, memory.nextText())
        }
        const text = rests.map((one, i) => `${one} ${values[i % values.length]}`).join(' ')
        const number = memory.nextText()
        const whole: Finding[] = []
        memory.recall(text, blockOf(text), number, whole)
        const parts: Finding[] = []
        const ways = [memory.recallFew(text, 0, Math.min(cut, text.length), number, parts)]
        if (cut < text.length) ways.push(memory.recallFew(text, cut, text.length, number, parts))
        const firsts = new Set(values.map((one) => one.charAt(0)))
        assert.deepEqual(ways.includes(false), firsts.size > 2)
        if (firsts.size > 2) return
        few++
        found += whole.length
        const spans = (all: readonly Finding[]) =>
          [...new Set(all.map(({ start, end }) => `${start}-${end}`))].toSorted()
        assert.deepEqual(spans(parts), spans(whole))
      }
    )
  )
  assert.ok(few > 10 && found > 10, `${few} of the texts were read that way, ${found} values found`)
})

test('values that begin with frequent characters are searched in blocks', () => {
  const memory = new ValueMemory()
  const value = 'e' + filler(12)
  const finding = { kind: 'k', group: 'secret', tier: 'high', confidence: 'strong', start: 0, end: 13 } as const
  memory.keep(value, finding, memory.nextText())
  const text = `${'e '.repeat(100)}${value}`
  const found: Finding[] = []
  assert.equal(memory.recallFew(text, 0, text.length, memory.nextText(), found), false)
  assert.deepEqual(found, [])
  assert.equal(scannerFinds(memory, text), 1)
})

function scannerFinds(memory: ValueMemory, text: string): number {
  return scanner.scan(text, memory).filter(({ kind }) => kind === 'k').length
}
