import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { isSpeaker, pointsOfShape } from './unnamed-value.ts'

const points = (value: string) => pointsOfShape(value, 0, value.length)

test('the less ordinary a word is, the more points it has', () => {
  const [generated, marked, chosen, numbered] = [filler(9) + '42', 'Violet47!', 'violet-canyon-41', 'Salsa20'].map(
    points
  )
  assert.ok(generated !== undefined && marked !== undefined && chosen !== undefined && numbered !== undefined)
  assert.ok(generated > marked && marked > chosen && chosen > numbered)
})

test('names and numbers of things are not passwords', () => {
  for (const name of [
    ...['JIRA-1234', 'shop42.example.com', 'cus_T2dbT3t6hyp9RE', 'ops@host2', 'lean#502', 'dbus!54', 'corretto@11'],
    ...[
      'PZEM-004T',
      'makefile.vcwin32',
      'Portal2024',
      'STM32F0xx',
      'RCU_APB1EN_BKPIEN_Msk',
      '82-6b-de-ec-58-34-65-78',
      'Keccak256',
      'Chrome131',
      '8f14e45fceea167a',
      '#fffaaa12',
      'harbour',
      '20261122'
    ]
  ])
    assert.equal(points(name), undefined, name)
})

test('the name of a speaker nearby is recognised', () => {
  const text = '<ana4821> hi\n<bo> then ana4821 has it'
  const at = text.lastIndexOf('ana4821')
  assert.ok(isSpeaker(text, at, at + 7))
  assert.ok(!isSpeaker('then ana4821 has it', 5, 12))
})
