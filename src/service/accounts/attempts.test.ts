import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAttempts } from './attempts.ts'
import { minuteMs } from '../../timing/spans.ts'

describe('attempts to sign in', () => {
  const clock = { ms: 5_000_000 }
  const fresh = () => createAttempts(() => clock.ms)

  /** How many of `count` attempts are allowed. */
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

  it('are ten from one address for one name, and then one per minute', () => {
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

  it('are limited for one address whatever the names, and for a name whatever the addresses', () => {
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

  it('with a link, which has no name, count for the address only', () => {
    const attempts = fresh()
    assert.equal(
      taken(() => attempts.take('192.0.2.1', undefined), 200),
      60
    )
    assert.equal(
      taken(() => attempts.take('192.0.2.2', 'undefined'), 200),
      10
    )
  })

  it('count for the whole network of an IPv6 address', () => {
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

  it('count for the network of an IPv6 address however it is written', () => {
    const pairs: [one: string, other: string, areOne: boolean][] = [
      ['2001:db8::1:2:3:4', '2001:db8:0:0:9:9:9:9', true],
      ['2001:db8::1:2:3:4:5', '2001:db8:0:1::', true],
      ['2001:db8::1:2:3:4:5', '2001:db8:0:2::', false],
      ['::1', '0:0:0:0:1:2:3:4', true],
      ['::1:2:3:4:5', '0:0:0:1::', true],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', true],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:3:3:4:5:6', false],
      ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false]
    ]
    for (const [one, other, areOne] of pairs) {
      const attempts = fresh()
      taken(() => attempts.take(one, 'ana'), 10)
      const more = taken(() => attempts.take(other, 'ana'), 10)
      assert.equal(more, areOne ? 0 : 10, `${one} and ${other}`)
    }
  })

  it('are forgotten only after ten thousand newer counters', () => {
    const attempts = fresh()
    const ana = () => taken(() => attempts.take('192.0.2.1', 'ana'), 1)
    let number = 0
    const others = (count: number) => {
      for (let i = 0; i < count; i++) attempts.take(`10.0.${number >> 8}.${number & 255}`, `user${number++}`)
    }
    taken(() => attempts.take('192.0.2.1', 'ana'), 10)
    others(9_999)
    assert.equal(ana(), 0, 'one that was refused counts as seen')
    others(9_999)
    assert.equal(ana(), 0)
    others(10_000)
    assert.equal(ana(), 1, 'there is a bound')
  })

  it('that are refused evict nobody: a flood of names does not make a name forgotten', () => {
    const attempts = fresh()
    const from = (address: string, count: number) => taken(() => attempts.take(address, 'ana'), count)
    assert.equal(from('192.0.2.1', 50), 10)
    for (let i = 0; i < 9; i++) from(`192.0.2.${i + 2}`, 50)
    let number = 0
    assert.equal(
      taken(() => attempts.take('192.0.2.1', `user${number++}`), 20_000),
      50
    )
    clock.ms += minuteMs
    assert.equal(from('192.0.2.1', 5), 1, 'one a minute from one address at one name')
    assert.equal(from('198.51.100.1', 50), 2, 'what a minute grants the name')
  })

  it('are not saved up: after a day without any, there are as many as at first', () => {
    const attempts = fresh()
    const take = () => attempts.take('192.0.2.1', 'ana')
    take()
    clock.ms += 24 * 60 * minuteMs
    assert.equal(taken(take, 50), 10)
  })

  it('are given back if they succeeded', () => {
    const attempts = fresh()
    assert.equal(
      taken(() => attempts.take('192.0.2.9', 'ana')(), 50),
      50
    )
  })
})
