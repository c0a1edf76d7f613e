/** Masked text stays parseable: passwords with any punctuation, written in each syntax, read back by its own parser. */
import assert from 'node:assert/strict'
import test from 'node:test'
import vm from 'node:vm'
import { parse as parseYaml } from 'yaml'
import { createRandom } from '../../test/support/random.ts'
import { builtInDetectors } from './detectors/index.ts'
import { trafficDetectors } from './detectors/traffic.ts'
import { filler } from './sample-text.ts'
import { createScanner } from './scanner.ts'

const scanner = createScanner(trafficDetectors)
const all = createScanner()
const placeholder = ['PASSWORD', 'QKMRTWZBDF'].join('_')
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const signs = `!"#$%&'()*+,-./:;<=>?@[]^_{|}~\\`
const turns = 300

/** The text with a placeholder in place of each finding, and the number of findings. */
function masked(text: string, by = scanner): { text: string; count: number } {
  const found = by
    .scan(text)
    .filter(({ confidence, tier }) => confidence !== 'weak' && tier !== 'low' && tier !== 'none')
  let out = ''
  let at = 0
  for (const { start, end } of found) {
    out += text.slice(at, start) + placeholder
    at = end
  }
  return { text: out + text.slice(at), count: found.length }
}

const fields = (password: string) => ({ user: 'app', password, port: 80 })
const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
/** The text around the value, which must be unchanged. */
const between = (text: string, head: string, tail: string): string => {
  assert.ok(text.startsWith(head) && text.endsWith(tail), text)
  return text.slice(head.length, text.length - tail.length)
}

interface Written {
  write(password: string): string
  /** Parses and returns the password; throws if the text around it changed. */
  read(text: string): unknown
  /** Characters that passwords in this syntax do not contain here. */
  readonly without?: string
  /** The least share of the passwords that must be found, in hundredths. */
  readonly foundMin: number
}

const written: Readonly<Record<string, Written>> = {
  JSON: { write: (it) => JSON.stringify(fields(it)), read: (text) => JSON.parse(text).password, foundMin: 98 },
  'JSON in JSON': {
    write: (it) => JSON.stringify({ arguments: JSON.stringify(fields(it)) }),
    read: (text) => JSON.parse(JSON.parse(text).arguments).password,
    foundMin: 97
  },
  'JSON in JSON in JSON': {
    write: (it) => JSON.stringify({ content: JSON.stringify({ arguments: JSON.stringify(fields(it)) }) }),
    read: (text) => JSON.parse(JSON.parse(JSON.parse(text).content).arguments).password,
    without: '"\\',
    foundMin: 97
  },
  YAML: {
    write: (it) => `user: app\npassword: ${JSON.stringify(it)}\nport: 80\n`,
    read: (text) => parseYaml(text).password,
    foundMin: 98
  },
  'YAML in single quotes': {
    write: (it) => `user: app\npassword: '${it.replaceAll("'", "''")}'\nport: 80\n`,
    read: (text) => parseYaml(text).password,
    // With one before a quote it reads as program text does, where it escapes the quote.
    without: '\\',
    foundMin: 98
  },
  TOML: {
    write: (it) => `[db]\npassword = ${JSON.stringify(it)}\nport = 80\n`,
    read: (text) => JSON.parse(between(text, '[db]\npassword = ', '\nport = 80\n')),
    foundMin: 98
  },
  JavaScript: {
    write: (it) =>
      `({ user: 'app', password: '${it.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}', port: 80 }).password`,
    read: (text) => vm.runInNewContext(text),
    foundMin: 98
  },
  XML: {
    write: (it) => `<c><user>app</user><password>${escapeXml(it)}</password><port>80</port></c>`,
    read: (text) => between(text, '<c><user>app</user><password>', '</password><port>80</port></c>'),
    foundMin: 97
  },
  'an attribute': {
    write: (it) => `<c user="app" password="${escapeXml(it)}" port="80"/>`,
    read: (text) => between(text, '<c user="app" password="', '" port="80"/>'),
    foundMin: 97
  },
  'a shell': {
    write: (it) => `export DB_PASSWORD='${it.replaceAll("'", "'\\''")}'\necho done\n`,
    read: (text) => between(text, "export DB_PASSWORD='", "'\necho done\n"),
    without: '\\',
    foundMin: 95
  },
  'a Kubernetes secret': {
    write: (it) => `apiVersion: v1\nkind: Secret\nstringData:\n  port: "80"\n  password: ${JSON.stringify(it)}\n`,
    read: (text) => parseYaml(text).stringData.password,
    foundMin: 98
  },
  'a command of curl': {
    write: (it) => `curl -u 'app:${it.replaceAll("'", "'\\''")}' https://api.acme.dev\n`,
    read: (text) => between(text, "curl -u 'app:", "' https://api.acme.dev\n"),
    without: '\\',
    foundMin: 95
  },
  'a netrc file': {
    write: (it) => `machine api.acme.dev\n  login app\n  password ${it}\nmachine b.acme.dev\n`,
    read: (text) => between(text, 'machine api.acme.dev\n  login app\n  password ', '\nmachine b.acme.dev\n'),
    without: '<\\',
    foundMin: 98
  },
  'a pgpass file': {
    write: (it) => `db.acme.dev:5432:shop:app:${it.replaceAll(/[:\\]/g, '\\$&')}\n`,
    read: (text) => between(text, 'db.acme.dev:5432:shop:app:', '\n'),
    without: '<\\',
    foundMin: 98
  },
  'a picture of a wireless network': {
    write: (it) => `WIFI:T:WPA;S:Office;P:${it.replaceAll(/[\\;,":]/g, '\\$&')};;`,
    read: (text) => between(text, 'WIFI:T:WPA;S:Office;P:', ';;'),
    foundMin: 98
  },
  SQL: {
    write: (it) => `CREATE USER app PASSWORD '${it.replaceAll("'", "''")}';\n`,
    read: (text) => between(text, "CREATE USER app PASSWORD '", "';\n"),
    without: '\\',
    foundMin: 88
  },
  'an address': {
    write: (it) => `postgres://app:${percent(it)}@db.acme.dev:5432/shop?ssl=1`,
    read(text) {
      const url = new URL(text)
      assert.deepEqual([url.username, url.host, url.search], ['app', 'db.acme.dev:5432', '?ssl=1'])
      return url.password
    },
    foundMin: 100
  },
  'a form': {
    write: (it) => `user=app&${new URLSearchParams({ password: it }).toString()}&ssl=1`,
    read(text) {
      const form = new URLSearchParams(text)
      assert.deepEqual([form.get('user'), form.get('ssl')], ['app', '1'])
      return form.get('password')
    },
    foundMin: 98
  },
  'an environment file': {
    write: (it) => `USER=app\nDB_PASSWORD=${it}\nPORT=80\n`,
    read: (text) => between(text, 'USER=app\nDB_PASSWORD=', '\nPORT=80\n'),
    without: `"'\\,;&()[]{}<>|`,
    foundMin: 95
  }
}

function percent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

for (const [name, { write, read, without = '', foundMin }] of Object.entries(written))
  test(`a mask covers the whole of a password and no more: ${name}`, () => {
    const random = createRandom(name.length * 7919)
    const allowed = [...signs].filter((sign) => !without.includes(sign)).join('')
    let found = 0
    for (let turn = 0; turn < turns; turn++) {
      let password = random.text(letters, 1)
      while (password.length < 12 + (turn % 5)) password += random.text(random.below(3) === 0 ? allowed : letters, 1)
      const text = write(password + random.text(letters, 1))
      const { text: out, count } = masked(text)
      if (count === 0) continue
      found++
      assert.equal(read(out), placeholder, `${text} became ${out}`)
    }
    assert.ok(found * 100 >= turns * foundMin, `found ${found} of ${turns}`)
  })

test('the bracket of a call remains when its argument is masked, that of an area code is masked', () => {
  assert.equal(masked('number_to_phone(8005551212, ext: 3)').text, `number_to_phone(${placeholder}, ext: 3)`)
  assert.equal(masked('phone: (800) 555-1212').text, `phone: ${placeholder}`)
})

test('the other cells of a row remain when one of them states a password', () => {
  const password = 'Qx82NHc7KcLw'
  for (const tail of [',385,52,1,Huntsman', '.,2,2010-08-17', ',PK,112', ',Rural,51.8'])
    for (const head of ['1,my password: ', '2,the password is ', '3,login: admin / '])
      assert.equal(masked(head + password + tail, all).text, head + placeholder + tail)
})

test('a backtick that nothing closes quotes one word, and what follows remains', () => {
  const rest = 'Then tell the others about it, and go on.\n'
  for (const tail of [rest, rest.repeat(200), `${rest}Run \`deploy\` now.\n`])
    assert.equal(
      masked(`**Password**: \`${filler(22)}\n\n${tail}`, all).text,
      `**Password**: \`${placeholder}\n\n${tail}`
    )
})

test('the marks of bold text remain around a password', () => {
  for (const [head, tail] of [
    ['Password: **', '**.'],
    ['**Password:** **', '** (for now)'],
    ['- Passwort: **', '**,'],
    ['the password you want is **', '**, thanks'],
    ['The **password** is **', '**, keep it'],
    ['I typed the password you gave me, **', '**, and no'],
    ['Password: **', '**。'],
    ['Password: **', '**です'],
    ['Password: **', '** – for now'],
    ['Password: **', '**…'],
    ['Password: **', '**<br>']
  ] as const)
    assert.equal(masked(`${head}${filler(9)}42${tail}`, all).text, head + placeholder + tail)
  // One that ends in a year is stated as well.
  const chosen = ['Harbor', '1984'].join('')
  assert.equal(masked(`the password is **${chosen}**… ok`, all).text, `the password is **${placeholder}**… ok`)
  // These marks are within it.
  assert.equal(masked(`Password: **${filler(9)}**.x9`, all).text, `Password: ${placeholder}`)
})

test('what follows on the next line remains behind a value in base64 that needs no padding, and the next line of a wrapped one does not', () => {
  // 81 bytes, which are 27 full groups.
  const url = `https://app:${filler(40)}@db.internal.acme.dev:5432/`.padEnd(81, 'x')
  const value = btoa(url)
  for (const next of ['DEBUG=1', 'OTHER_NAME=/srv', 'MCP_NAME=', 'port: 5432', 'export A=1', 'Then go on.', 'EOF'])
    assert.equal(masked(`DATABASE_URL=${value}\n${next}\n`, all).text, `DATABASE_URL=${placeholder}\n${next}\n`)
  for (const [line, rest] of [
    [value.slice(0, 76), value.slice(76)] as const,
    [`${value.slice(0, 64)}`, value.slice(64)] as const
  ])
    for (const end of ['', ' ', '.', '\t\r', ':', ' | base64 -d'])
      assert.ok(!masked(`${line}\n${rest}${end}\n`, all).text.includes(rest.slice(-16)), rest + end)
  // A short last line, with padding and without.
  for (const units of [55, 56, 57])
    for (const end of ['', ' ', '.', '. \r']) {
      const [line, rest] = [btoa(url).slice(0, 64), btoa(url.slice(0, units)).slice(64)]
      assert.ok(!masked(`${line}\n${rest}${end}\n`, all).text.includes(rest), rest + end)
    }
})

/** Texts in JSON, and in JSON within JSON, after a round trip. */
const inJson: Readonly<Record<string, { write: (text: string) => string; read: (text: string) => unknown }>> = {
  JSON: { write: (it) => JSON.stringify({ a: 1, text: it, b: 2 }), read: (text) => JSON.parse(text).b },
  'JSON in lines': {
    write: (it) => JSON.stringify({ a: 1, text: it, b: 2 }, null, 2),
    read: (text) => JSON.parse(text).b
  },
  'JSON in JSON': {
    write: (it) => JSON.stringify({ text: JSON.stringify({ text: it, b: 2 }) }),
    read: (text) => JSON.parse(JSON.parse(text).text).b
  }
}

for (const [name, { write, read }] of Object.entries(inJson))
  test(`a finding of each detector is masked within its text: ${name}`, () => {
    for (const { id, hits } of builtInDetectors)
      for (const hit of hits()) {
        const { text } = masked(write(hit), all)
        assert.doesNotThrow(() => assert.equal(read(text), 2), `${id}: ${write(hit)} became ${text}`)
      }
  })
