import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileConditions } from './judge-arguments.ts'
import { maybe, no, yes, type Judgement } from './three-valued.ts'
import { conditionSchema, whenSchema, type Condition } from './condition.ts'

const judged = (condition: Condition, toolArguments: unknown) =>
  compileConditions([conditionSchema.parse(condition)])(toolArguments)

const table: [name: string, condition: Condition, cases: [toolArguments: unknown, judgement: Judgement][]][] = [
  [
    'equals',
    { argument: '/n', equals: 'prod' },
    [
      [{ n: 'prod' }, yes],
      [{ n: 'dev' }, no],
      [{ n: 'Prod' }, no],
      [{ n: 5 }, maybe],
      [{ n: null }, maybe],
      [{ n: {} }, maybe],
      [{ n: [] }, maybe],
      [{ n: ['prod', 'prod'] }, yes],
      [{ n: ['prod', 'dev'] }, maybe],
      [{ n: ['dev', 'test'] }, no],
      [{ m: 'prod' }, maybe],
      [undefined, maybe],
      ['prod', maybe]
    ]
  ],
  [
    'equals null and false',
    {
      any: [
        { argument: '/n', equals: null },
        { argument: '/n', equals: false }
      ]
    },
    [
      [{ n: null }, yes],
      [{ n: false }, yes],
      [{ n: true }, maybe],
      [{ n: {} }, maybe]
    ]
  ],
  [
    'equals a number that has more digits than are kept',
    { argument: '/n', equals: JSON.parse('9007199254740993') },
    [
      [JSON.parse('{"n":9007199254740993}'), maybe],
      [JSON.parse('{"n":9007199254740992}'), maybe],
      [{ n: 5 }, no],
      [{ n: '9007199254740993' }, maybe]
    ]
  ],
  [
    'lists and texts up to their bounds',
    { argument: '/n', matches: 'a*' },
    [
      [{ n: Array(1000).fill('a') }, yes],
      [{ n: Array(1001).fill('a') }, maybe],
      [{ n: [...Array(999).fill('a'), 'b'] }, maybe],
      [{ n: [] }, maybe],
      [{ n: 'a'.repeat(65_536) }, yes],
      [{ n: 'a'.repeat(65_537) }, maybe]
    ]
  ],
  [
    'in',
    { argument: '/n', in: ['a', 2] },
    [
      [{ n: 'a' }, yes],
      [{ n: 2 }, yes],
      [{ n: 3 }, no],
      [{ n: 2.5 }, no],
      [{ n: true }, maybe],
      [JSON.parse('{"n":9007199254740993}'), maybe]
    ]
  ],
  [
    'exists',
    { argument: '/options/force', exists: true },
    [
      [{ options: { force: null } }, yes],
      [{ options: {} }, no],
      [{ options: 'force' }, no],
      [undefined, no],
      [{ options: Object.create({ force: 1 }) as object }, no]
    ]
  ],
  [
    'absent',
    { argument: '/toString', exists: false },
    [
      [{}, yes],
      [{ toString: 1 }, no]
    ]
  ],
  [
    'matches',
    { argument: '/command', matches: 'git (status|log)' },
    [
      [{ command: 'git status' }, yes],
      [{ command: 'git status; rm -rf /' }, maybe],
      [{ command: 'ls' }, no],
      [{ command: 'git logx'.repeat(10_000) }, maybe],
      [{ command: 7 }, maybe]
    ]
  ],
  [
    'numbers',
    { argument: '/n', greaterThan: 1, atMost: 5 },
    [
      [{ n: 1 }, no],
      [{ n: 5 }, yes],
      [{ n: 5.5 }, no],
      [{ n: '3' }, maybe],
      [{ n: [2, 3] }, yes],
      [{ n: [2, 9] }, maybe]
    ]
  ],
  [
    'more numbers',
    { argument: '/n', atLeast: 2, lessThan: 3 },
    [
      [{ n: 2 }, yes],
      [{ n: 3 }, no]
    ]
  ],
  [
    'pathWithin',
    { argument: '/paths', pathWithin: ['/srv/a', '/srv/b'] },
    [
      [{ paths: '/srv/a/x' }, yes],
      [{ paths: ['/srv/a/x', '/srv/b/y'] }, yes],
      [{ paths: ['/srv/a/x', '/etc/passwd'] }, maybe],
      [{ paths: '/etc/passwd' }, no]
    ]
  ],
  [
    'urlHost',
    { argument: '/url', urlHost: ['corp.dev', '*.corp.dev'] },
    [
      [{ url: 'https://corp.dev/x' }, yes],
      [{ url: 'HTTPS://API.Corp.Dev:8443/' }, yes],
      [{ url: 'https://api.corp.dev./' }, yes],
      [{ url: 'https://evilcorp.dev/' }, no],
      [{ url: 'https://corp.dev@evil.com/' }, no],
      [{ url: 'https://me:pass@corp.dev/' }, yes],
      [{ url: 'ssh://git@corp.dev/a.git' }, yes],
      [{ url: 'https://[::1]:8080/' }, no],
      [{ url: 'https://corp.dev?a=1#b' }, yes],
      [{ url: 'https://corp.dev/a@b?c@d#e@f' }, yes],
      // Parsers differ in what they take for the host.
      [{ url: 'https://corp.dev#@evil.com/' }, maybe],
      [{ url: 'https://corp.dev?@evil.com/' }, maybe],
      [{ url: 'https://corp.dev:80@a@evil.com/' }, maybe],
      [{ url: 'https://evil.com#@corp.dev/' }, maybe],
      [{ url: 'https:corp.dev/' }, maybe],
      [{ url: 'https:/corp.dev/' }, maybe],
      [{ url: 'https:///corp.dev/' }, maybe],
      [{ url: 'https://evil.com/corp.dev' }, no],
      [{ url: 'https://evil.com\\@corp.dev/' }, maybe],
      [{ url: 'https://cor\tp.dev/' }, maybe],
      [{ url: 'corp.dev/x' }, maybe],
      [{ url: '//corp.dev/x' }, maybe],
      [{ url: 'https://c%6frp.dev/' }, maybe],
      [{ url: 'https://ｃorp.dev/' }, maybe],
      [{ url: 'https://bücher.corp.dev/' }, yes],
      [{ url: 'javascript:alert(1)' }, maybe],
      [{ url: '' }, maybe],
      [{ url: 'http://' }, maybe]
    ]
  ],
  [
    'urlHost of an address, however it is written',
    { argument: '/url', urlHost: '169.254.169.254' },
    [
      [{ url: 'http://169.254.169.254/latest' }, yes],
      [{ url: 'http://169.254.169.254:80/latest' }, yes],
      [{ url: 'http://169.254.169.253/' }, no],
      [{ url: 'http://[2001:db8::1]/' }, no],
      ...[
        'http://2852039166/',
        'http://0xa9fea9fe/',
        'http://0251.0376.0251.0376/',
        'http://169.254.43518/',
        'http://%31%36%39.254.169.254/',
        'http://[::ffff:169.254.169.254]/',
        'http://[::ffff:a9fe:a9fe]/',
        'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
        'http://[64:ff9b::a9fe:a9fe]/',
        'gopher://0xa9fea9fe/',
        'gopher://0251.0376.0251.0376/'
      ].map((url): [object, Judgement] => [{ url }, maybe])
    ]
  ],
  [
    'all, any and not',
    {
      all: [
        { argument: '/a', equals: 1 },
        {
          not: {
            any: [
              { argument: '/b', equals: 1 },
              { argument: '/c', exists: true }
            ]
          }
        }
      ]
    },
    [
      [{ a: 1, b: 2 }, yes],
      [{ a: 1, b: 1 }, no],
      [{ a: 1, b: 2, c: 3 }, no],
      [{ a: 1 }, maybe],
      [{ a: 2 }, no],
      [{ b: 2 }, maybe]
    ]
  ],
  [
    'pointers with escapes and indices',
    { argument: '/a~1b/1/c~0d', equals: 1 },
    [
      [{ 'a/b': [0, { 'c~d': 1 }] }, yes],
      [{ 'a/b': { 1: { 'c~d': 1 } } }, yes],
      [{ 'a/b': [] }, maybe]
    ]
  ]
]

for (const [name, condition, cases] of table) {
  test(`condition: ${name}`, () => {
    for (const [toolArguments, judgement] of cases)
      assert.equal(judged(condition, toolArguments), judgement, JSON.stringify(toolArguments))
  })
}

test('the length of a list is not one of its items', () => {
  assert.equal(judged({ argument: '/a/length', exists: true }, { a: [1] }), no)
})

test('an invalid condition is refused', () => {
  const refused: object[] = [
    {},
    { argument: '/a' },
    { equals: 1 },
    { argument: 'a', equals: 1 },
    { argument: '/a~2', equals: 1 },
    { argument: '/a'.repeat(17), equals: 1 },
    { argument: '/a', equals: {} },
    { argument: '/a', equal: 1 },
    { argument: '/a', equals: 1, any: [{ argument: '/a', exists: true }] },
    { any: [] },
    { any: [{ argument: '/a', exists: true }], not: { argument: '/a', exists: true } }
  ]
  for (const condition of refused)
    assert.equal(conditionSchema.safeParse(condition).success, false, JSON.stringify(condition))
  const nested = (depth: number): Condition =>
    depth === 1 ? { argument: '/a', exists: true } : { not: nested(depth - 1) }
  assert.equal(whenSchema.safeParse([nested(6)]).success, true)
  assert.equal(whenSchema.safeParse([nested(7)]).success, false)
})
