import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWithin } from './path-within.ts'
import { maybe, no, yes, type Judgement } from './three-valued.ts'

const cases: Record<string, [path: string, judgement: Judgement][]> = {
  '/srv/app': [
    ['/srv/app', yes],
    ['/srv/app/', yes],
    ['/srv/app/src/a.ts', yes],
    ['/srv/app/./src//a.ts', yes],
    ['/srv/app/x/../y', yes],
    ['//srv/app/y', yes],
    ['/srv/application', no],
    ['/SRV/Application', no],
    ['/SRV/App', maybe],
    ['/srv', no],
    ['/', no],
    ['/srv/app/../secrets', no],
    ['/srv/app/../../../../etc/passwd', no],
    ['/../srv/app/a', yes],
    ['/srv/app/..', no],
    ['/srv/app/...', yes],
    ['file:///srv/app/a%20b', yes],
    ['file:///srv/other', no],
    ['file://localhost/srv/app/x?y#z', yes],
    // It is unknown whether a tool decodes it, or treats a backslash as a separator.
    ['/srv/app/%2e%2e/%2e%2e/etc/passwd', maybe],
    ['/srv/app/%252e%252e/%252e%252e/etc/passwd', maybe],
    ['/srv/app/..%2f..%2fetc', maybe],
    [`/srv/app/a%${'25'.repeat(2)}20b`, yes],
    [`/srv/app/%${'25'.repeat(3)}2e%2e/%2e%2e/etc/passwd`, maybe],
    [`/srv/app/%${'25'.repeat(4)}2e%${'25'.repeat(4)}2e/x`, maybe],
    [`/srv/other/%${'25'.repeat(40)}2e%${'25'.repeat(40)}2e/app/x`, maybe],
    ['/srv/app/..\\..\\etc', maybe],
    ['/srv/app/a%20b', yes],
    ['/srv/app/100%', yes],
    ['/srv/app/a\\b', yes],
    // A file system may be case-insensitive.
    ['/SRV/App/x', maybe],
    ['/SRV/App/a b', maybe],
    // The path depends on something outside it.
    ['src/a.ts', maybe],
    ['../app/a.ts', maybe],
    ['', maybe],
    ['~/a', maybe],
    ['$HOME/a', maybe],
    ['/srv/app/$(whoami)', maybe],
    ['/srv/app/%APPDATA%/x', maybe],
    ['/srv/app/a\0b', maybe],
    ['/proc/self/root/srv/app/a', maybe],
    ['/proc/./self/../1/task/1/cwd/a', maybe],
    ['/dev/fd/3', maybe],
    ['/srv/app/proc/self/root/a', yes],
    ['/proc/self/status', no],
    ['/dev/null', no],
    ['C:/srv/app', maybe]
  ],
  '/': [
    ['/etc/passwd', yes],
    ['/..', yes],
    ['etc', maybe]
  ],
  'C:\\code': [
    ['C:\\code\\a.ts', yes],
    ['c:\\CODE\\a.ts', yes],
    ['C:/code/a.ts', yes],
    ['C:\\code\\..\\Windows', no],
    ['D:\\code\\a.ts', no],
    ['file:///C:/code/a.ts', yes],
    ['C:\\code\\a.txt:stream', maybe],
    ['C:\\CODE~1\\a', maybe],
    ['C:code', maybe],
    ['\\\\server\\code', maybe],
    ['/code/a', maybe]
  ],
  docs: [
    ['docs/a.md', yes],
    ['./docs/a.md', yes],
    ['docs/../src/a.ts', no],
    ['src/a.ts', no],
    ['../docs/a.md', maybe],
    ['/docs/a.md', maybe]
  ],
  '~/notes': [
    ['~/notes/a', yes],
    ['~/other', no],
    ['~bob/notes/a', maybe],
    ['~/../bob/notes', maybe],
    ['/home/u/notes', maybe]
  ]
}

for (const [folder, paths] of Object.entries(cases)) {
  test(`paths within ${folder}`, () => {
    const within = isWithin(folder)
    for (const [path, judgement] of paths) assert.equal(within(path), judgement, JSON.stringify(path))
  })
}
