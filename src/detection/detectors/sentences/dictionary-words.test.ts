/** An ordinary word is masked where a sentence states it as a password; it is never blocked, and not masked elsewhere. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ordinaryWord as word } from '../../sample-text.ts'
import { createScanner } from '../../scanner.ts'

const scanner = createScanner()
const stated = [
  `my password is ${word}`,
  `MYSQL_ROOT_PASSWORD=${word}`,
  `mysql -u root -p${word} shop`,
  `host: 10.1.2.3\nuser: ops\npassword: ${word}\n`,
  `login: bob / ${word}`,
  `ALTER USER ops WITH PASSWORD '${word}';`
]

describe('an ordinary word that is a password because of its place', () => {
  stated.forEach((text) =>
    it(`is found once in ${text}`, () => {
      const memory = scanner.createMemory()
      const found = scanner.scan(`${text}\n\nWhat a day, nothing but ${word} and "${word}" again.\n`, memory)
      const at = text.indexOf(word)
      assert.deepEqual(
        found.map(({ start, end, tier, confidence }) => [start, end, tier, confidence]),
        [[at, at + word.length, 'medium', 'medium']]
      )
      assert.deepEqual(scanner.scan(`import ${word} from './${word}.ts'\n`, memory), [])
    })
  )

  stated.forEach((text) =>
    it(`can be restored, and is not remembered, in ${text}`, () => {
      const memory = scanner.createMemory()
      for (const finding of scanner.scan(text, memory)) assert.equal(memory.remember(text, finding), true)
      assert.deepEqual(scanner.scan(`import ${word} from './${word}.ts'\n`, memory), [])
    })
  )

  it('is masked together with its correction', () => {
    const [first, second] = [['tango', '8841'].join(''), ['tango', '8842'].join('')]
    for (const text of [
      `my password is ${first}. sorry, it's ${second}`,
      `the password is ${first}, not ${second}`,
      `the root pw is ${first} (was ${second})`
    ])
      assert.deepEqual(
        scanner.scan(text).map(({ start, end }) => text.slice(start, end)),
        [first, second],
        text
      )
    const other = `my password is ${first}, the host is ${['tang', 'ier', '12'].join('')}`
    assert.equal(scanner.scan(other).length, 1)
  })

  it('is not a password if another name nearby has the same value', () => {
    const text = `POSTGRES_USER=${word}\nPOSTGRES_PASSWORD=${word}\nPOSTGRES_DB=shop\n`
    assert.deepEqual(scanner.scan(text, scanner.createMemory()), [])
  })
})
