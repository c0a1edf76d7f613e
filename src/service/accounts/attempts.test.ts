import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAttempts } from './attempts.ts'

const minuteMs = 60_000

describe('attempts to sign in', () => {
  const clock = { ms: 5_000_000 }
  const fresh = () => createAttempts(() => clock.ms)

  /** How many of `count` attempts are taken. */
  function taken(take: () => unknown, count: number): number {
    let good = 0
    for (let attempt = 0; attempt < count; attempt++) {
      try {
        take()
        good++
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'too_many_attempts')
      }
    }
    return good
  }

  it('are ten from one address at one name, and then one a minute', () => {
    const attempts = fresh()
    const take = () => attempts.take('192.0.2.1', 'ana')
    assert.equal(taken(take, 50), 10)
    clock.ms += minuteMs
    assert.equal(taken(take, 5), 1)
    assert.throws(take, (error: { details?: { headers?: Record<string, string> } }) => {
      assert.equal(error.details?.headers?.['retry-after'], '60')
      return true
    })
    assert.equal(
      taken(() => attempts.take('192.0.2.1', ' ANA '), 1),
      0,
      'however the name is spelled'
    )
    assert.equal(
      taken(() => attempts.take('192.0.2.1', 'bob'), 1),
      1,
      'another name has its own'
    )
    assert.equal(
      taken(() => attempts.take('192.0.2.2', 'ana'), 1),
      1,
      'its owner can still come from elsewhere'
    )
  })

  it('are bounded for one address whatever the names, and for a name whatever the addresses', () => {
    const attempts = fresh()
    let number = 0
    assert.equal(
      taken(() => attempts.take('192.0.2.1', `user${number++}`), 200),
      60
    )
    assert.equal(
      taken(() => attempts.take(`198.51.100.${number++ % 250}`, 'ana'), 300),
      100
    )
  })

  it('are counted for the whole network of an address of IPv6', () => {
    const attempts = fresh()
    let number = 0
    const take = () => attempts.take(`2001:db8:1:2::${(number++).toString(16)}`, 'ana')
    assert.equal(taken(take, 50), 10)
    assert.equal(
      taken(() => attempts.take('2001:db8:1:3::1', 'ana'), 1),
      1
    )
    assert.equal(
      taken(() => attempts.take('2001:db8:1:2:ffff:1:2:3', 'ana'), 1),
      0
    )
  })

  it('are given back where they went well', () => {
    const attempts = fresh()
    assert.equal(
      taken(() => attempts.take('192.0.2.9', 'ana')(), 50),
      50
    )
  })
})
