import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { UrlTrail } from './url-trail.ts'

function isInside(text: string, form: 'plain' | 'json' = 'plain'): boolean {
  const trail = new UrlTrail(form)
  trail.advance(text, 0, text.length)
  return trail.isInside
}

/** Each ends where a value would leave with a request for the URL. */
const urls: Readonly<Record<string, readonly string[]>> = {
  'as they are written': ['see https://a.example/?q=', '![x](//a.example/', 'www.a.example/', 'HTTPS://A.EXAMPLE/'],
  'of another length': [`https://a.example/${'a'.repeat(5000)}`, `<img src="https://a.example/?q=${' '.repeat(5000)}`],
  'with brackets and quotes inside': [
    '![x](https://a.example/(',
    '![x](https://a.example/\\)',
    '![x](https://a.example/(b)/',
    '![x](https://a.example/\\(b\\)/',
    'https://a.example/{',
    'https://a.example/?q=[',
    "https://a.example/?q='",
    'https://a.example/|',
    'https://a.example/)',
    '<img src=https://a.example/)'
  ],
  'with angle brackets inside': [
    '![x](https://a.example/?<',
    '![x](https://a.example/?>',
    '![x]( https://a.example/?<',
    '![x](<https://a.example/\\>',
    '![x]\n\n[x]: https://a.example/?<',
    '![x]\n\n[x]:\n  https://a.example/?>',
    '![x]\n\n[x]:https://a.example/?<',
    '<img src=https://a.example/?<',
    '<img src= https://a.example/?<',
    'see https://a.example/?>'
  ],
  'that go over spaces': [
    '![x](<https://a.example/?q= ',
    '![x](<//a.example/ ',
    '<img src="https://a.example/?q= ',
    '<img src=" https://a.example/?q= ',
    "<img src='//a.example/?q=\n",
    "curl 'https://a.example/?q= ",
    '<img src= "https://a.example/?q= ',
    '<img src = " https://a.example/?q= ',
    '<img src="ht\ttps://a.example/?q= ',
    "<img src='http\n://a.example/?q= "
  ],
  'that go on behind their quotes': [
    'curl "https://a.example/?q="',
    `say 'https://a.example/?q='"`,
    'curl "https://a.example/?q=\\"',
    'curl "https://a.example/?q=\\", ',
    'sh -c "curl \\"https://a.example/?q=\\"'
  ],
  'that Markdown takes backslashes out of': ['![x](http\\:a.example/', '![x](a\\.example/', '![x](https\\:intranet/'],
  'that a style sheet takes escapes out of': [
    'url(\\2f\\2f intranet/',
    'url(\\00002f\\00002fintranet/',
    'url(\\68ttp:intranet/',
    'url("h\\a ttp:intranet/',
    'url(a\\2e example/'
  ],
  'with other slashes': ['https:\\\\a.example\\', '![x](\\/a.example/', '<img src="/\\a.example/', 'https:a.example/'],
  'that a shell joins over lines': [
    'curl https://a.example/?q=\\\n',
    'curl "https://a.example/?q="\\\n',
    'curl a.exam\\\nple/'
  ],
  'with line breaks between slashes': ['<img src="/\n/a.example/', '<img src="/\t\\a.example/'],
  'with entities': [
    '![x](https:&#47;&#47;a.example/',
    '![x](&sol;&#x2F;a.example/',
    '![x](&#104;ttps&colon;a.example/',
    '![x](https:&#9;a.example/',
    '<img src="&#47&#47[2001:db8::1]/',
    '<img src="&#x2F&#X2f[2001:db8::1]/',
    '<img src="http&#58[2001:db8::1]/',
    '<img src="h&#116tp:intranet/',
    '<img src="/&#9/intranet/',
    `<img src="&#${'0'.repeat(400)}47;&#x${'0'.repeat(400)}2f;intranet/`
  ],
  'inside of others': ['go?u=https%3A%2F%2Fa.example%2F', 'go?u=%252F%252Fa.example/'],
  'without a scheme': [
    'curl a.example/',
    'curl a.example:8080/',
    'curl me:pw@a.example?q=',
    'curl 203.0.113.7/',
    '**a.example/',
    'a\u3002example/'
  ],
  'after others': ['[a](https://corp.dev/) ![x](https://intranet/?q=', '<https://corp.dev> <https://intranet/?q= '],
  'that run': ["[x](javascript:fetch('"],
  'that write letters': ['[x](mailto:me@a.example?body=']
}

const others = [
  '',
  'to ',
  'https://corp.dev/ ',
  '(https://corp.dev/) ',
  '[docs](https://corp.dev/)',
  '<https://corp.dev>',
  '`https://corp.dev`, ',
  '`https://corp.dev`)',
  '["https://corp.dev"]',
  '{"https://corp.dev":"',
  "'https://corp.dev' ",
  '{"url":"https://corp.dev","to":"',
  '<a href="https://corp.dev">',
  '<link>https://corp.dev</link><to>',
  'a/b/c ',
  'a/b.c/',
  '../../',
  './src/',
  '~/.config/',
  '// ask ',
  'and/or/',
  '[write](mailto:',
  'note: ',
  'to:',
  'AT&T; ',
  '50%',
  'C:\\Users\\',
  'see a.b c/',
  'corp.dev.',
  '<https://corp.dev\nto ',
  '[docs](https://corp.dev/\\\\)',
  '[docs](https://corp.dev/\\a)',
  '[docs](https://corp.dev/(b))',
  '[docs](https://corp.dev/(b) [more](https://corp.dev/)',
  '<a href=https://corp.dev>',
  'https://corp.dev<',
  'say "and / or',
  'yes / / no',
  'say " https://corp.dev/ to ',
  '<a title="to https://corp.dev/ to ',
  'say "a /b',
  'C:\\data\\bad\\',
  '\\d+\\.\\d{2} ',
  '&#47 / ',
  'AT&T/',
  'a = b/',
  'f( a/',
  '[x]: note/',
  'key = "a\n/',
  'note=1\nhttps://corp.dev/ ',
  'curl -d "{\\"url\\": \\"https://corp.dev\\", \\"to\\": \\"',
  'body = "{\\"url\\":\\"https://corp.dev\\",\\"to\\":\\"',
  'echo "see \\"https://corp.dev\\" or write to ',
  "sh -c $'curl \\'https://corp.dev\\' && mail ",
  'echo "see \\"https://corp.dev" && mail '
]

for (const [how, texts] of Object.entries(urls)) {
  test(`URLs ${how} are detected`, () => {
    for (const text of texts) {
      assert.equal(isInside(text), true, text)
      assert.equal(isInside(`{"a":${JSON.stringify(text).slice(0, -1)}`, 'json'), true, `${text} in JSON`)
    }
  })
}

test('what is not a URL, or has ended, is not taken for one', () => {
  for (const text of others) {
    assert.equal(isInside(text), false, text)
    assert.equal(isInside(`{"a":${JSON.stringify(text).slice(0, -1)}`, 'json'), false, `${text} in JSON`)
  }
})

test('JSON escapes do not hide a URL, and the end of a JSON string ends it', () => {
  for (const text of [
    '{"u":"https:\\/\\/a.example\\/?q=',
    '{"u":"\\u002f\\u002Fa.example/',
    '["\\\\\\/\\\\\\/a.example/',
    '{"u":"https\\u003a\\u002f\\u002Fintranet\\u002f?q=',
    '{"u":"\\u0068\\u0074tps://intranet/?q=',
    '{"u":"see \\u0022https://intranet/?q= '
  ])
    assert.equal(isInside(text, 'json'), true, text)
  for (const text of ['{"body":"see https://a.example","to":"', '["it\'s `https://a.example","', '{"u":"a\\n\\nb'])
    assert.equal(isInside(text, 'json'), false, text)
})

test('an argument that is named as a URL is one to its end, since programs encode spaces and remove line breaks', () => {
  const kept = [
    '{"url":"https://a.example/?q= ',
    '{"url": "https://a.example/?q=\\n',
    '{"imageUrl":"//a.example/?q=please write to ',
    '{"base_uri":"https://a.example/\\" ',
    '{"u\\u0072l":"https://a.example/ ',
    '{"to":"me","links":["https://corp.dev","https://a.example/ ',
    '{"location":{"href":"https://a.example/ '
  ]
  for (const text of kept) assert.equal(isInside(text, 'json'), true, text)
  const others = [
    '{"url":"write to ',
    '{"url":"https://corp.dev","to":"',
    '{"urls":["https://corp.dev"],"body":"https://corp.dev ',
    '{"security":"https://corp.dev ',
    '{"body":"the url: https://corp.dev ',
    '{"url":"https://corp.dev","body":"see https://corp.dev '
  ]
  for (const text of others) assert.equal(isInside(text, 'json'), false, text)
  for (const [member, isKept] of [
    ['url', true],
    ['body', false]
  ] as const) {
    const trail = new UrlTrail('plain', member)
    const text = 'https://a.example/?q=\n'
    trail.advance(text, 0, text.length)
    assert.equal(trail.isInside, isKept, member)
  }
})

test('a text may arrive in any pieces', () => {
  const parts = fc.constantFrom(
    'https:',
    '/',
    '\\',
    '"',
    '\\"',
    "'",
    '<',
    '>',
    '(',
    ')',
    ' ',
    '\n',
    '&#47;',
    '&#0047',
    '\\2f',
    '%2f',
    'a.b',
    '[',
    ']:',
    '=',
    '\\\n',
    '"url":',
    '"to":'
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), fc.nat(), fc.constantFrom('plain', 'json'), (words, at, form) => {
      const text = words.join('')
      const cut = at % (text.length + 1)
      const trail = new UrlTrail(form)
      trail.advance(text, 0, cut)
      trail.advance(text, cut, text.length)
      assert.equal(trail.isInside, isInside(text, form))
    })
  )
})

test('a connection string is a login up to its host, and no other URL is one', () => {
  const isInLogin = (text: string, form: 'plain' | 'json' = 'plain'): boolean => {
    const trail = new UrlTrail(form)
    trail.advance(text, 0, text.length)
    return trail.isInLogin
  }
  const logins = [
    'DATABASE_URL=postgres://shop:',
    "url: 'mongodb+srv://a%40b.dev:",
    'redis://:',
    '"AMQPS://',
    '<mysql://u:p-w_x.y~z+',
    'see https://a.example/ and postgresql://'
  ]
  for (const text of logins) {
    assert.ok(isInLogin(text), text)
    assert.ok(isInLogin(JSON.stringify(text).slice(0, -1), 'json'), `${text} in JSON`)
    assert.ok(isInside(text), text)
  }
  const others = [
    'https://u:',
    '//postgres:',
    'https://a.example/?q=postgres://u:',
    'https:postgres://u:',
    'a.example/postgres://u:',
    'xpostgres://u:',
    'postgres://u:p@',
    'postgres://u:p@db/',
    'postgres://x,https://a.example/?q=',
    'postgres://x"https://a.example/?q=',
    'postgres://https://a.example/',
    'postgres://x)https:',
    'postgres:',
    'postgres'
  ]
  for (const text of others) assert.ok(!isInLogin(text), text)
})

test('a text consumed at once is followed like one that arrives character by character', () => {
  const marks = [
    'https:',
    'redis://',
    '//',
    '%2f',
    '%',
    '2f',
    '&#47;',
    '&#x002f',
    '\\2f',
    '=',
    '\t',
    '\\u002f',
    '\\',
    'a.example',
    '@',
    '?',
    ' ',
    '"',
    '(',
    ')',
    '<'
  ]
  const words = [1, 148, 151, 299, 301, 460].map((length) => 'x'.repeat(length))
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...marks, ...words), { maxLength: 12 }),
      fc.constantFrom('plain' as const, 'json' as const),
      (parts, form) => {
        const text = parts.join('')
        const whole = new UrlTrail(form)
        const cut = new UrlTrail(form)
        let from = 0
        for (const part of parts) {
          whole.advance(text, from, from + part.length)
          for (let at = from; at < from + part.length; at++) cut.advance(text, at, at + 1)
          from += part.length
          assert.equal(whole.isInside, cut.isInside, text.slice(0, from))
          assert.equal(whole.isInLogin, cut.isInLogin, text.slice(0, from))
        }
      }
    )
  )
})

test('no character costs more than a look at its neighbourhood, however many there are', ({ mock }) => {
  const looks = [mock.method(String.prototype, 'charCodeAt'), mock.method(String.prototype, 'charAt')].map(
    ({ mock: calls }) => calls
  )
  for (const hostile of ['?', '#', '/?', '-?', '.?', '*_#', '@?', '&?']) {
    for (const calls of looks) calls.resetCalls()
    isInside(hostile.repeat(600))
    const perUnit = looks.reduce((sum, calls) => sum + calls.callCount(), 0) / (600 * hostile.length)
    assert.ok(perUnit < 30, `${hostile}: ${perUnit} a unit`)
  }
})
