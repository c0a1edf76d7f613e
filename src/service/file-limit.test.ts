import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileLimitWarning } from './file-limit.ts'

const limits = (soft: string): string =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             95288                95288                processes ',
    `Max open files            ${soft.padEnd(20)} 524288               files     `,
    ''
  ].join('\n')

test('too few open files for the allowed connections cause a warning that says what to change', () => {
  const warning = fileLimitWarning(limits('256'), 512) ?? ''
  assert.match(warning, /may open 256 files, and 512 calls at once \(UPSTREAM_CONNECTIONS_MAX\) take 1152;/)
  assert.match(warning, /LimitNOFILE/)
})

test('a sufficient, unlimited or unknown number of files causes none', () => {
  for (const text of [limits('1152'), limits('1048576'), limits('unlimited'), '', undefined])
    assert.equal(fileLimitWarning(text, 512), undefined)
})
