/** No text makes a scan slow. Work is counted, not timed; see `count-reads.fixture.ts`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countReads } from './count-reads.fixture.ts'
import { builtInDetectors } from './detectors/index.ts'
import { allAnchors, hostileTexts, literalTexts, textsAgainst, type HostileText } from './hostile-texts.fixture.ts'
import { createScanner } from './scanner.ts'

const scanner = createScanner()
// Some tables are built when the first text needs them, and reading their sources would count.
for (const { make } of hostileTexts) scanner.scan(make(200))
scanner.scan('cédula de ciudadanía=1234567 ')

/** How often a unit may be read, by all detectors together. */
const readsPerUnitMax = 200
/** What a text may cost whatever its length. */
const constantReads = 4000

function readsOf(text: string): number {
  return countReads(() => scanner.scan(text, scanner.createMemory()))
}

/** Twice the text is at most twice the work, and the work per unit is bounded. */
function assertLinear(hostile: HostileText, unitsMin: number): void {
  const units = Math.ceil(unitsMin / (hostile.period ?? 1)) * (hostile.period ?? 1)
  const text = hostile.make(units)
  const longer = hostile.make(2 * units)
  const once = readsOf(text)
  const twice = readsOf(longer)
  const perUnit = once / text.length
  assert.ok(once <= readsPerUnitMax * text.length, `${hostile.name}: ${perUnit.toFixed(1)} reads a unit`)
  const growth = (2.1 * longer.length) / (2 * text.length)
  assert.ok(twice <= growth * once + constantReads, `${hostile.name}: ${once} reads, then ${twice} for twice the text`)
}

describe('the work is linear in the length of the text', () => {
  for (const hostile of hostileTexts) it(hostile.name, () => assertLinear(hostile, 20_000))
})

describe('all anchors of all detectors in a row cost no more than any other text', () => {
  for (const between of ['', ' ', '=', '"', '": "', '\n', '1', '-', '/'])
    it(`with ${JSON.stringify(between)} between`, () => {
      const hostile = allAnchors(builtInDetectors, between)
      // The first row is cheaper than those with a row before them.
      assertLinear(hostile, 2 * hostile.period)
    })
})

describe('a name without a value, and half of a value, cost a bounded number of reads', () => {
  for (const detector of builtInDetectors) {
    it(detector.id, () => {
      for (const hostile of textsAgainst(detector)) assertLinear(hostile, 4000)
    })
  }
})

describe('no literal costs more than another', () => {
  /** What many places of a short text can cost without reading all of it each. */
  const readsToDoubt = 25
  const literals = Map.groupBy(literalTexts(builtInDetectors), ({ name }) => name.charAt(1))
  for (const [first, texts] of literals)
    it(`that begins with ${first}`, () => {
      for (const hostile of texts) {
        const text = hostile.make(1500)
        const perUnit = readsOf(text) / text.length
        assert.ok(perUnit <= readsPerUnitMax, `${hostile.name}: ${perUnit.toFixed(1)} reads a unit`)
        if (perUnit > readsToDoubt) assertLinear(hostile, 2000)
      }
    })
})

describe('what stands around many names is not read again for each of them', () => {
  const readsMax: Readonly<Record<string, number>> = {
    // No quote, bracket or type behind any of the names.
    'pwd=': 50,
    'password: ': 80,
    'passport: ': 55,
    // No account beside the name of a bank code.
    'bsb\n': 10,
    'blz ': 10,
    // Users and hosts in the lines around.
    'DB_USER=${DB_USER:-shop}\nDB_PASSWORD=${DB_PASSWORD:-shop}\n': 65,
    'password: sunshine\n': 200,
    // A line that could be a number of many kinds.
    '536-22-87261\n\n': 100,
    // A word that several names before it lead to.
    'password token secret prod-eu4-web ': 145,
    '비밀번호!key4821': 80,
    // A word that stands on both sides of itself.
    'masterauth ß': 85,
    // Statements before what is bound to them.
    '> Parameters: ': 20,
    'binding parameter [1] as [VARCHAR] - [x]\n': 20,
    // Calls that join strings.
    'password=["7MWVBoWhoUBi", "7MWVBoWhoUBi", "7MWVBoWhoUBi"]\n': 80,
    // Strings before a comma, each of which might be joined with the next.
    'password="7MWVBoWhoUBi", n=1, ': 40,
    // Directives of a format string.
    '%v:%v@="': 60,
    // Input of a command.
    '--password-stdin%3D': 130,
    // Talk about access around each word with a digit.
    'login login login login violet8841 ': 220,
    // Words of a heading or a pair that nothing follows.
    'accesos ': 130,
    'tel no ': 125,
    // Digits that several names near them lead to.
    '1是出生日期': 105,
    '1（出生日期': 170,
    // Names behind a doubled quote, which closes none of the strings that each of them may begin.
    '(""pwd={2}': 110,
    '"auth=({"': 165,
    // The name of a file, each of which might be above the rows of it.
    'ci-nº1. \n* userlist.txt': 25,
    // A key that may be long, and whose prefix stands in it.
    'sl.u.': 65,
    // A line that goes on behind a parameter without a value.
    'binding parameter 1': 10,
    'stringData:': 10,
    '::add-mask::': 25,
    // Brackets of which each might open a list of bytes.
    'auth=[': 75,
    // A field of a picture, and where a value ends, which kinds that look in other places ask for as well.
    'WIFI:': 65,
    // Names that begin with a bracket, behind each of which a date might stand.
    '(b.': 65,
    // The row of a cell, the end of its names, and the names before it.
    '<th>phone</th>': 30,
    [`<tr>${'<th>dob</th>'.repeat(39)}<tr><td>1</td></tr>`]: 65,
    // A pipe, a quote, a list of codes that might stand near.
    'bw login': 70,
    'pwd={0}': 65,
    'violet4a1b2c3rescuecode ': 15,
    // A comment, a user, a statement that might stand near.
    'Pass ="': 50,
    'secret 0 ="': 115,
    '.set("': 50,
    // A word that stands everywhere, and two of them by turns.
    'masterauth ': 60,
    '<password>wget --user=ops --password=sunshine ': 170,
    // Words behind a command that each of its names on the line leads to.
    'psexec.py:nºcc_pat =:': 260,
    // Groups that nothing names.
    '130 692 544 ': 35,
    // The tag that a field might be in.
    "type='password'": 10,
    // A number of a private key, behind which that of the next name stands.
    [`prime1:\n    ${'ab:'.repeat(19)}ab\n`]: 40,
    // Literals of one kind that begin at one place.
    'c.i.': 62,
    'cédula de identidad ': 60,
    // Names of users and hosts around a password.
    '<password>epicno&#x41;': 190
  }
  for (const [unit, most] of Object.entries(readsMax))
    it(JSON.stringify(unit), () => {
      const text = unit.repeat(20_000 / unit.length)
      const perUnit = readsOf(text) / text.length
      assert.ok(perUnit <= most, `${perUnit.toFixed(1)} reads a unit`)
    })
})

describe('texts within a text', () => {
  /** Each line is read through its escapes, as a paragraph and as a string, and each of these readings in all ways again. */
  const layered = (value: string): string => `User Id=app;Password=${value};\\\\"<br>tax no&quot;":"cvv\u202e`

  it('that are the same are read once', () => {
    const text = layered('7MWVBo').repeat(400)
    const perUnit = readsOf(text) / text.length
    assert.ok(perUnit <= 300, `${perUnit.toFixed(1)} reads a unit`)
  })

  const different = Array.from({ length: 3000 }, (_, i) => layered((i * 7919).toString(36).padStart(6, 'x'))).join('')

  it('that are within such texts cost a bounded amount of work', () => {
    const run = scanner.begin(different, scanner.createMemory())
    run.step(Infinity)
    const perUnit = run.work / different.length
    assert.ok(perUnit <= 310, `${perUnit.toFixed(1)} units of work a unit`)
  })

  it('that are three levels deep are read whatever stands beside them', () => {
    const escaped = (text: string): string => Array.from(text, (one) => `%${one.charCodeAt(0).toString(16)}`).join('')
    const value = ['Lantern', '47', 'qx'].join('')
    const written = escaped(escaped(escaped(value)))
    const text = `${different} ${escaped(escaped(escaped('password=')))}${written} b`
    const from = text.indexOf(written)
    const found = scanner.scan(text, scanner.createMemory())
    assert.ok(found.some(({ start, end }) => start <= from && end >= from + written.length))
  })
})

it('a list of codes with many names is found once', () => {
  const list = 'rescuecode 4829-9713\n'.repeat(60)
  const run = scanner.begin(list)
  run.step(Infinity)
  assert.equal(run.findings().length, 60)
  assert.ok(run.work < 60 * 1200, `${run.work} units of work`)
})

it('a scan runs no regular expression', () => {
  const texts = [...builtInDetectors.flatMap((one) => one.hits()), ...hostileTexts.map((one) => one.make(500))]
  const { prototype } = RegExp
  const { exec } = prototype
  let runs = 0
  Object.defineProperty(prototype, 'exec', {
    value(this: RegExp, text: string) {
      runs++
      return exec.call(this, text)
    },
    configurable: true,
    writable: true
  })
  try {
    const memory = scanner.createMemory()
    for (const text of texts) scanner.scan(text, memory)
    assert.equal(runs, 0)
    'a'.replace(/a/g, '')
    assert.ok(runs > 0, 'the count sees a regular expression that runs')
  } finally {
    Object.defineProperty(prototype, 'exec', { value: exec, configurable: true, writable: true })
  }
})

it('the count notices a slow scan', () => {
  const quadratic = (text: string) => () => {
    for (let i = 0; i < text.length; i++) for (let k = 0; k < i; k++) text.charCodeAt(k)
  }
  const once = countReads(quadratic('a'.repeat(100)))
  const twice = countReads(quadratic('a'.repeat(200)))
  assert.deepEqual([once, twice], [4950, 19900])
})
