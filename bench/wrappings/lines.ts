/** Wrappings by lines: mail, diffs, listings, logs, terminals, and line breaks at a column. */
import {
  escaped,
  framed,
  paddingOf,
  pieced,
  prefixed,
  within,
  wrapped,
  written,
  Writer,
  type Wrapping
} from './wrapped.ts'

const stamp = (line: number): string => `2026-03-01T12:00:${String(10 + (line % 50))}`
const red = '\u001b[31m'
const plain = '\u001b[0m'

/** Quoted-printable: lines of 76 characters that end in `=`; an equals sign is `=3D`. */
const quotedPrintable: Wrapping = ({ text, start, end }) => {
  const writer = new Writer(text.length).frame('Content-Transfer-Encoding: quoted-printable\n\n')
  const lineStart = text.lastIndexOf('\n', start) + 1
  let used = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (i === lineStart) {
      const padding = (((75 - Math.min(30, Math.floor((end - start) / 2)) - (start - lineStart)) % 75) + 75) % 75
      writer.frame(paddingOf(padding))
      used += padding
    }
    const form = char === '=' ? '=3D' : char
    if (used + form.length > 75 && char !== '\n') {
      writer.frame('=\n')
      used = 0
    }
    writer.put(i, form)
    used = char === '\n' ? 0 : used + form.length
  }
  return writer.frame('\n').done()
}

/** A value in the middle of which the colour changes. */
const colouredWithin: Wrapping = pieced('', `${red}`, plain)

export const lineWrappings: Readonly<Record<string, Wrapping>> = {
  'quoted mail': prefixed(() => '> ', 'On Monday Ana wrote:\n', '\n\nThanks!\n'),
  'quoted mail twice': prefixed(() => '> > '),
  'quoted-printable': quotedPrintable,
  'wrapped at 64': wrapped(64, '\n'),
  'wrapped at 72': wrapped(72, '\n'),
  'wrapped at 76': wrapped(76, '\n'),
  'wrapped at 80': wrapped(80, '\n'),
  'wrapped at 80, CRLF': wrapped(80, '\r\n'),
  'wrapped at 120': wrapped(120, '\n'),
  'wrapped at 76, indent of 2': wrapped(76, '\n  '),
  'wrapped at 64, indent of 4': wrapped(64, '\n    ', '    '),
  'wrapped at 64, tab': wrapped(64, '\n\t', '\t'),
  'wrapped at 76, quoted': wrapped(76, '\n> ', '> '),
  'wrapped at 76, quoted twice': wrapped(76, '\n>> ', '>> '),
  'wrapped at 76, comment': wrapped(76, '\n# ', '# '),
  'wrapped at 76, slashes': wrapped(76, '\n// ', '// '),
  'wrapped at 76, star': wrapped(76, '\n * ', ' * '),
  'wrapped at 76, added lines': wrapped(76, '\n+', '+'),
  'wrapped at 76, numbered': wrapped(76, '\n     2\t', '     1\t'),
  'wrapped at 76, shell': wrapped(76, '\\\n'),
  'wrapped at 76, shell, indent': wrapped(76, ' \\\n    '),
  'wrapped at 76, caret': wrapped(76, '^\r\n'),
  'wrapped at 76, backtick': wrapped(76, '`\n'),
  'wrapped at 76, no cut': wrapped(76, '\n', '', false),
  'wrapped at 80, written break': wrapped(80, '\\n'),
  'wrapped at 80, written break in JSON': within(
    escaped('{"text": "', { '"': '\\"', '\\': '\\\\', '\n': '\\n' }, '"}'),
    wrapped(80, '\n')
  ),
  'folded header': wrapped(76, '\r\n '),
  'pieces of 16': pieced('', '\n', '', 16),
  'pieces of 20': pieced('', '\n', '', 20),
  'pieces of 32, indented': pieced('', '\n        ', '', 32),
  'added lines': prefixed(() => '+', '@@ -1,2 +1,3 @@\n port = 80\n', '\n'),
  'removed lines': prefixed(() => '-', '@@ -1,2 +1,3 @@\n port = 80\n', '\n'),
  'git log -p': prefixed(() => '+', 'commit 4b1d\n\n    Set it up\n\ndiff --git a/x b/x\n@@ -0,0 +1 @@\n', '\n'),
  'git log': prefixed(() => '    ', 'Author: Ana\n\n', '\n'),
  'grep -n': prefixed((line) => `src/app.ts:${line + 9}:`),
  'grep, context': prefixed((line) => `src/app.ts-${line + 9}-`),
  'cat -n': prefixed((line) => `${String(line + 9).padStart(6)}\t`, '     8\tport = 80\n'),
  'numbered with an arrow': prefixed((line) => `${String(line + 9).padStart(5)}→`, '    8→port = 80\n'),
  'numbered with a bar': prefixed((line) => `${line + 9} | `, '8 | port = 80\n'),
  'numbered with a colon': prefixed((line) => `${line + 9}: `, '8: port = 80\n'),
  journald: prefixed((line) => `Mar 01 12:00:${10 + (line % 50)} web1 app[812]: `),
  logcat: prefixed((line) => `03-01 12:00:${10 + (line % 50)}.123  1234  1250 D Main    : `),
  'docker compose': prefixed(() => 'web-1  | '),
  'GitHub Actions': prefixed((line) => `${stamp(line)}.1234567Z `),
  'log, JSON': within(
    escaped('{"level":"info","msg":"', { '"': '\\"', '\\': '\\\\', '\n': '\\n' }, '"}\n'),
    framed('')
  ),
  'colour around': ({ text, start, end }) => {
    const writer = new Writer(text.length)
    for (let i = 0; i < text.length; i++) {
      if (i === start) writer.frame(red)
      writer.put(i, text.charAt(i))
      if (i === end - 1) writer.frame(plain)
    }
    return writer.done()
  },
  'colour within': colouredWithin,
  'colour within, written': pieced('', '\\u001b[0m\\u001b[1m'),
  'cut by an ellipsis': ({ text, start, end }) => {
    const writer = new Writer(text.length)
    const third = Math.floor((end - start) / 3)
    for (let i = 0; i < text.length; i++) {
      const isLeftOut = third >= 8 && i >= start + third && i < end - third
      writer.put(i, !isLeftOut ? text.charAt(i) : i === start + third ? '...' : '')
    }
    return writer.done()
  },
  'terminal with carriage returns': written('', (char) => (char === '\n' ? '\r\n' : char), '\r\n'),
  'terminal, wrapped by script': wrapped(80, ' \r'),
  'terminal, wrapped by script, CRLF': wrapped(80, '\r\r\n')
}
