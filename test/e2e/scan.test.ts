/** `sluice scan` as people and programs run it: arguments, output and exit status. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { filler } from '../../src/detection/sample-text.ts'
import { sluiceCommand } from '../support/command.ts'
import { readingOf } from '../support/read-until.ts'

const root = join(import.meta.dirname, '../..')
const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const key = 'gsk' + '_' + filler(52)
const mail = ['ana', 'corp.dev'].join('@')

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-scan-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function scan(cwd: string, args: readonly string[], input: string | Buffer = '', env: NodeJS.ProcessEnv = {}): Ended {
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env
  const options = { cwd, input, env: { ...inherited, ...env }, maxBuffer: 2 ** 26 }
  const { status, stdout, stderr } = spawnSync(process.execPath, [sluiceCommand, 'scan', ...args], options)
  return { code: status ?? -1, out: stdout.toString(), err: stderr.toString() }
}

interface Found {
  readonly file: string
  readonly kind: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly start: number
  readonly end: number
  readonly action: string
}

interface Report {
  readonly findings: readonly Found[]
  readonly summary: Readonly<Record<string, number>>
}

function scanned(cwd: string, args: readonly string[], input?: string | Buffer): Report & Ended {
  const ended = scan(cwd, ['--json', ...args], input)
  return { ...ended, ...(JSON.parse(ended.out) as Report) }
}

const places = (report: Report): string[] =>
  report.findings.map(({ file, line, column, kind }) => `${file}:${line}:${column} ${kind}`)

describe('files and folders', () => {
  it('are reported by line and column with the value masked, status 1', () => {
    const folder = folderWith({ 'a.ts': `\nconst k = '${key}' // of ${mail}\n`, 'b.ts': 'nothing here\n' })
    const { code, out, err } = scan(folder, [])
    assert.equal(code, 1)
    assert.match(
      out,
      /^a\.ts:2:12 {2}Groq API key {2}high\/strong {2}block\n {4}const k = '<GROQ_API_KEY>' \/\/ of <EMAIL>\n/
    )
    assert.match(out, /a\.ts:2:\d+ {2}e-mail address {2}medium\/strong {2}mask\n/)
    assert.match(err, /^2 findings in 2 files [^\n]*\nA false alarm\? Put a comment with sluice:allow on the line/)
    assert.doesNotMatch(scan(folder, ['b.ts']).err, /false alarm/)
    assert.ok(!out.includes(key.slice(4, 12)) && !out.includes('ana@'))
  })

  it('are found under names that are not UTF-8, in a walk and as arguments', () => {
    // Other systems do not allow such names.
    const bytes = process.platform === 'linux' ? [0xe9] : [0xc3, 0xa9]
    const shownName = process.platform === 'linux' ? 'caf\\xE9' : 'café'
    const folder = folderWith({})
    const name = Buffer.from([...Buffer.from(`${folder}/caf`), ...bytes])
    mkdirSync(name)
    for (const file of ['a.ts', 'b.ts']) {
      writeFileSync(Buffer.concat([name, Buffer.from(`/${file}`)]), `k = '${key}'\n`)
    }
    const both = [`${shownName}/a.ts:1:6 groq_key`, `${shownName}/b.ts:1:6 groq_key`]
    assert.deepEqual(places(scanned(folder, [])), both)
    const octal = bytes.map((byte) => `\\${byte.toString(8)}`).join('')
    const shell = `exec "$0" "$1" scan --json "$(printf 'caf${octal}')/b.ts" ./"$(printf 'caf${octal}')"`
    const { stdout } = spawnSync('sh', ['-c', shell, process.execPath, sluiceCommand], {
      cwd: folder,
      encoding: 'utf8'
    })
    assert.deepEqual(places(JSON.parse(stdout) as Report).toSorted(), both)
    const away = scan(folder, ['caf\uFFFD/c.ts'])
    assert.equal(away.code, 2)
    assert.match(away.err, /there is no such file; where its name is not UTF-8, npm and npx garble it: name its folder/)
  })

  it('are each scanned if their names are not UTF-8 and look alike', () => {
    const folder = folderWith({ 'x\uFFFD': `k = '${key}'\n` })
    const isLinux = process.platform === 'linux'
    const octals = isLinux ? ['\\350', '\\351'] : ['\\303\\250', '\\303\\251']
    const names = [...octals, '\\357\\277\\275'].map((octal) => `"$(printf 'x${octal}')"`)
    const put = names.slice(0, 2).map((name) => `printf '%s' "$2" > ${name}`)
    const shell = `${put.join('; ')}; exec "$0" "$1" scan --json ${names.join(' ')} .`
    const { stdout } = spawnSync('sh', ['-c', shell, process.execPath, sluiceCommand, `k = '${key}'`], {
      cwd: folder,
      encoding: 'utf8'
    })
    const shownNames = isLinux ? ['x\\xE8', 'x\\xE9'] : ['xè', 'xé']
    assert.deepEqual(
      places(JSON.parse(stdout) as Report),
      [...shownNames, 'x\uFFFD'].map((name) => `${name}:1:6 groq_key`)
    )
  })

  it('without findings end with status 0, and so do findings with --exit-zero', () => {
    const folder = folderWith({ 'a.ts': 'export {}\n', 'b.ts': mail })
    assert.equal(scan(folder, ['a.ts']).code, 0)
    assert.equal(scan(folder, ['b.ts', '--exit-zero']).code, 0)
  })

  it('are visited in order, without .git, node_modules, links, binary files and what .sluiceignore names', () => {
    const folder = folderWith({
      '.git/config': mail,
      '.env': mail,
      'a/b/c.txt': mail,
      'a/keep.log': mail,
      'a/x.log': mail,
      'bin.dat': Buffer.concat([Buffer.from([0, 1]), Buffer.from(mail)]),
      'node_modules/x/index.js': mail,
      'out/a/b.txt': mail,
      'wide.txt': Buffer.from(`\uFEFF\n${mail}`, 'utf16le'),
      '.sluiceignore': '*.log\nout/\n',
      'a/.sluiceignore': '!keep.log\n'
    })
    symlinkSync('..', join(folder, 'a/up'))
    const report = scanned(folder, [])
    assert.deepEqual(places(report), [
      '.env:1:1 email_address',
      'a/b/c.txt:1:1 email_address',
      'a/keep.log:1:1 email_address',
      'wide.txt:2:1 email_address'
    ])
    assert.deepEqual(report.summary['binary'], 1)
    assert.deepEqual(places(scanned(folder, ['node_modules', 'a/x.log', 'out/a/b.txt'])), [
      'node_modules/x/index.js:1:1 email_address'
    ])
    assert.deepEqual(places(scanned(join(folder, 'a'), ['..'])).length, 4)
  })

  it('that cannot be read are reported and counted, the others are scanned, status 2', () => {
    const folder = folderWith({ 'a.txt': mail, 'locked.txt': mail, 'folder/x.txt': '' })
    chmodSync(join(folder, 'locked.txt'), 0)
    symlinkSync('round', join(folder, 'round'))
    const isAllowed = process.getuid?.() === 0
    const report = scanned(folder, ['a.txt', 'locked.txt', 'nowhere', 'round'])
    assert.equal(report.code, 2)
    assert.equal(report.summary['failed'], isAllowed ? 2 : 3)
    assert.equal(places(report)[0], 'a.txt:1:1 email_address')
    assert.match(report.err, /nowhere: there is no such file\n/)
    assert.match(report.err, /round: its links go round in a circle\n/)
  })

  it('read from standard input are called <stdin>', () => {
    assert.deepEqual(places(scanned(folderWith({}), ['-'], `\n\n x ${mail}`)), ['<stdin>:3:4 email_address'])
  })

  it('longer than a step and a stream are reported with correct positions', () => {
    const line = `${'x '.repeat(50)}\n`
    const lines = Math.ceil(34_000_000 / line.length)
    const report = scanned(folderWith({ 'long.txt': `${line.repeat(lines)}a ${mail}\n` }), ['long.txt'])
    assert.deepEqual(places(report), [`long.txt:${lines + 1}:3 email_address`])
    assert.equal(report.findings[0]?.start, lines * line.length + 2)
  })
})

describe('comments', () => {
  it('allow the findings of their line', () => {
    const text = [`${mail} // sluice:allow`, `${mail} # gitleaks:allow`, `${mail} # all fine`].join('\n')
    const report = scanned(folderWith({ 'a.txt': text }), [])
    assert.deepEqual(places(report), ['a.txt:3:1 email_address'])
    assert.equal(report.summary['allowed'], 2)
  })
})

describe('what is shown', () => {
  it('starts at the requested tier', () => {
    const folder = folderWith({ 'a.txt': `${mail} ${key}` })
    assert.deepEqual(
      scanned(folder, ['--min-tier', 'high']).findings.map(({ kind }) => kind),
      ['groq_key']
    )
    assert.equal(scan(folder, ['--min-tier', 'worst']).code, 2)
  })

  it('has colours only when they are wanted', () => {
    const folder = folderWith({ 'a.txt': mail })
    assert.ok(!scan(folder, []).out.includes('\u001B['))
    assert.ok(scan(folder, [], '', { FORCE_COLOR: '1' }).out.includes('\u001B['))
    assert.ok(!scan(folder, [], '', { FORCE_COLOR: '1', NO_COLOR: '1' }).out.includes('\u001B['))
  })

  it('cannot control a terminal', () => {
    const folder = folderWith({ 'a\u001B]0;x\u0007.txt': `\u001B[2J\u202E ${mail}` })
    const { out } = scan(folder, [])
    assert.doesNotMatch(out, /[\u001B\u0007\u202E]/)
  })

  it('contains nothing of a value, even if it occurs twice in a long line', () => {
    const text = `${'y'.repeat(500)} { "k": "${key}" } ${key} ${'z'.repeat(500)}`
    for (const form of [[], ['--json'], ['--sarif']]) {
      const { code, out, err } = scan(folderWith({ 'a.txt': text }), form)
      assert.equal(code, 1)
      for (let at = 4; at + 8 <= key.length; at++) assert.ok(!(out + err).includes(key.slice(at, at + 8)))
      assert.ok(form.length > 0 || out.length < 1000)
    }
  })

  it('is SARIF 2.1.0 on request', () => {
    const folder = folderWith({ 'a b/é.txt': `\n${key}` })
    const { out, code } = scan(folder, ['--sarif'])
    assert.equal(code, 1)
    const log = JSON.parse(out)
    const [run] = log.runs
    assert.equal(log.version, '2.1.0')
    assert.equal(run.columnKind, 'utf16CodeUnits')
    assert.equal(run.results.length, 1)
    const [result] = run.results
    assert.deepEqual([result.ruleId, result.level], ['groq_key', 'error'])
    assert.equal(run.tool.driver.rules[result.ruleIndex].id, 'groq_key')
    // What code hosts require of every rule, and no name that only repeats the id.
    for (const { id, name, ...texts } of run.tool.driver.rules) {
      for (const part of ['shortDescription', 'fullDescription', 'help']) assert.match(texts[part]?.text, /\w/, id)
      assert.equal(name, undefined)
    }
    assert.equal(result.locations[0].physicalLocation.artifactLocation.uri, 'a%20b/%C3%A9.txt')
    assert.deepEqual(result.locations[0].physicalLocation.region, {
      startLine: 2,
      startColumn: 1,
      endLine: 2,
      endColumn: 57,
      charOffset: 1,
      charLength: 56
    })
    assert.equal(run.invocations[0].executionSuccessful, true)
    const empty = JSON.parse(scan(folderWith({}), ['--sarif']).out)
    assert.deepEqual(empty.runs[0].results, [])
  })

  it('names files in SARIF relative to the working directory, whatever characters are in their names', () => {
    const names = ['..dots', '-dash.txt', '%41.txt', 'a#b?c.txt', 'c:d.txt']
    const folder = folderWith(Object.fromEntries(names.map((name) => [name, key])))
    const { results } = JSON.parse(scan(folder, ['--sarif']).out).runs[0]
    const uris = results.map(
      (result: { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] }) =>
        result.locations[0].physicalLocation.artifactLocation.uri
    )
    assert.deepEqual(uris.toSorted(), ['%2541.txt', '-dash.txt', '..dots', 'a%23b%3Fc.txt', 'c%3Ad.txt'])
  })
})

describe('--jsonl', () => {
  const answers = (out: string) =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { id: unknown; findings: Found[] })

  it('answers each line in order, offsets in UTF-16 units', () => {
    const lines = Array.from({ length: 3000 }, (_, id) => ({ id, text: id % 3 === 0 ? `😀 ${mail} ${id}` : 'é' }))
    const input = lines.map((line) => JSON.stringify(line)).join('\n')
    const { code, out } = scan(root, ['--jsonl'], input)
    assert.equal(code, 0)
    const got = answers(out)
    assert.deepEqual(
      got.map(({ id }) => id),
      lines.map(({ id }) => id)
    )
    assert.deepEqual(got[0]?.findings, [
      {
        kind: 'email_address',
        group: 'contact',
        tier: 'medium',
        confidence: 'strong',
        action: 'mask',
        start: 3,
        end: 3 + mail.length
      }
    ])
    assert.deepEqual(got[1]?.findings, [])
  })

  it('reports a bad line by its number and without its content, continues, and ends with status 2', () => {
    const input = [
      `{"id":"a","text":"${mail}"}`,
      '',
      `{"id":1,"text":"${mail}`,
      '[1]',
      '{"id":1}',
      '{"id":2,"text":"x"}'
    ]
    const { code, out, err } = scan(root, ['--jsonl'], input.join('\r\n'))
    assert.equal(code, 2)
    assert.deepEqual(
      answers(out).map(({ id }) => id),
      ['a', 2]
    )
    assert.deepEqual(err.split('\n').filter(Boolean), [
      'sluice scan: line 3: is not JSON',
      'sluice scan: line 4: is not a JSON object',
      'sluice scan: line 5: "id" must be a text or a number'.replace(
        '"id" must be a text or a number',
        '"text" must be a text'
      )
    ])
  })

  it('ignores allow comments in the texts', () => {
    const [answer] = answers(scan(root, ['--jsonl'], JSON.stringify({ id: 1, text: `${mail} sluice:allow` })).out)
    assert.equal(answer?.findings.length, 1)
  })

  it('answers a line before the next one is sent', async () => {
    const child = spawn(process.execPath, [sluiceCommand, 'scan', '--jsonl'], { stdio: ['pipe', 'pipe', 'inherit'] })
    const read = readingOf(child.stdout)
    for (const id of [1, 2, 3]) {
      child.stdin.write(`${JSON.stringify({ id, text: mail })}\n`)
      const said = await read((text) => text.split('\n').length > id)
      assert.equal(answers(said).at(-1)?.id, id)
    }
    child.stdin.end()
    await new Promise((resolve) => child.on('close', resolve))
    assert.equal(child.exitCode, 0)
  })
})

describe('--staged', () => {
  const git = (cwd: string, ...args: string[]) => {
    const names = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'core.hooksPath=/dev/null']
    const { status, stderr } = spawnSync('git', [...names, ...args], { cwd })
    assert.equal(status, 0, stderr.toString())
  }

  it('reports what a commit would add, and nothing else', () => {
    const folder = folderWith({ 'old.txt': `old ${mail}\n`, 'skip/x.txt': 'x\n', '.sluiceignore': 'skip/\n' })
    git(folder, 'init', '-q')
    writeFileSync(join(folder, 'first.txt'), mail)
    git(folder, 'add', '.')
    assert.deepEqual(places(scanned(folder, ['--staged'])), [
      'first.txt:1:1 email_address',
      'old.txt:1:5 email_address'
    ])
    git(folder, 'commit', '-qm', 'first')
    writeFileSync(join(folder, 'old.txt'), `new ${mail}\nold ${mail}\n`)
    writeFileSync(join(folder, 'with space é.txt'), `${mail}\n`)
    writeFileSync(join(folder, 'skip/x.txt'), `${mail}\n`)
    writeFileSync(join(folder, 'pixels.bin'), Buffer.concat([Buffer.alloc(9), Buffer.from(mail)]))
    git(folder, 'rm', '-q', 'first.txt')
    git(folder, 'add', '.')
    writeFileSync(join(folder, 'old.txt'), `not staged ${mail}\n`)
    mkdirSync(join(folder, 'sub'))
    const report = scanned(folder, ['--staged'])
    assert.deepEqual(places(report), ['old.txt:1:5 email_address', 'with space é.txt:1:1 email_address'])
    assert.equal(report.code, 1)
    assert.equal(scanned(folder, ['--staged', 'old.txt']).findings.length, 1)
    assert.equal(scanned(join(folder, 'sub'), ['--staged']).findings.length, 2)
    git(folder, 'commit', '-qm', 'second')
    assert.equal(scan(folder, ['--staged']).code, 0)
  })

  it('says so outside of a repository', () => {
    const { code, err } = scan(folderWith({}), ['--staged'], '', { GIT_CEILING_DIRECTORIES: tmpdir() })
    assert.equal(code, 2)
    assert.match(err, /--staged works inside a git repository/)
  })
})

describe('the page about the command', () => {
  it('names every option', () => {
    const page = readFileSync(join(root, 'docs/scan.md'), 'utf8')
    const options = scan(root, ['--help']).out.match(/(?<=^ {2})--[a-z-]+/gm) ?? []
    assert.ok(options.length >= 7)
    for (const option of options) assert.ok(page.includes(`\`${option}`), option)
  })
})
