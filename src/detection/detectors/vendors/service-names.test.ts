import assert from 'node:assert/strict'
import test from 'node:test'
import { commonServiceNames, serviceNames } from './service-names.ts'

const names = [...serviceNames, ...commonServiceNames]

test('no service is named twice, however its words are joined', () => {
  const written = names.map((name) => name.replaceAll('-', '_'))
  assert.deepEqual(
    written.filter((name, index) => written.indexOf(name) !== index),
    []
  )
})

test('names are valid anchors: in lower case, without blanks from line breaks in the table', () => {
  assert.deepEqual(
    names.filter((name) => !/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name)),
    []
  )
})
