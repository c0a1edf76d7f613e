/** Wrappings in programs and shells: escaped strings, concatenated strings, arguments of commands. */
import { escaped, framed, pieced, prefixed, within, written, Writer, type Wrapping } from './wrapped.ts'

const c = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' }
const single = { "'": "\\'", '\\': '\\\\', '\n': '\\n' }
const inString = (char: string): string => c[char as keyof typeof c] ?? char
const inSingle = (char: string): string => single[char as keyof typeof single] ?? char

/** A string in double quotes, split in the middle of the secret. */
const cut = (head: string, joint: string, tail: string, units = 0): Wrapping =>
  pieced(`${head}"`, `"${joint}"`, `"${tail}`, units, inString)
const cutSingle = (head: string, joint: string, tail: string, units = 0): Wrapping =>
  pieced(`${head}'`, `'${joint}'`, `'${tail}`, units, inSingle)
const curlOf = (quote: string, table: Readonly<Record<string, string>>, joint = ' '): Wrapping =>
  escaped(`curl -sS https://api.acme.dev/v1${joint}-d ${quote}`, table, `${quote}${joint}-o out.json\n`)

/** The secret between two others. */
const behind =
  (before: string, after: string): Wrapping =>
  ({ text, start, end }) => {
    const writer = new Writer(text.length)
    for (let i = 0; i < text.length; i++) {
      if (i === start) writer.frame(before)
      writer.put(i, text.charAt(i))
      if (i === end - 1) writer.frame(after)
    }
    return writer.done()
  }

export const codeWrappings: Readonly<Record<string, Wrapping>> = {
  'shell, double quotes': escaped('X="', { '"': '\\"', $: '\\$', '`': '\\`', '\\': '\\\\' }, '"\nrun "$X"\n'),
  'shell, single quotes': escaped("X='", { "'": "'\\''" }, "'\nrun $X\n"),
  "shell, $'...'": escaped("X=$'", { "'": "\\'", '\\': '\\\\', '\n': '\\n' }, "'\nrun\n"),
  heredoc: framed('cat > app.conf <<EOF\n', '\nEOF\nrun\n'),
  'heredoc, indented': prefixed(() => '\t', 'cat > app.conf <<-EOF\n', '\n\tEOF\nrun\n'),
  'environment file': escaped('PORT=80\nNOTE="', { '"': '\\"', '\n': '\\n' }, '"\nDEBUG=1\n'),
  'Dockerfile ENV': escaped('FROM node\nENV NOTE="', { '"': '\\"', '\n': '\\n' }, '"\nRUN make\n'),
  'Dockerfile ARG': escaped('FROM node\nARG NOTE=', { ' ': '\\ ', '\n': '\\n' }, '\nRUN make\n'),
  'curl, single quotes': curlOf("'", { "'": "'\\''" }),
  'curl, double quotes': curlOf('"', { '"': '\\"', $: '\\$', '\n': ' ' }),
  'curl, over lines': curlOf("'", { "'": "'\\''" }, ' \\\n  '),
  'curl, cmd': curlOf('"', { '"': '\\"', '&': '^&', '^': '^^', '\n': ' ', '%': '^%' }, ' ^\r\n  '),
  'curl, cmd, copied': curlOf(
    '^"',
    { '"': '^\\^"', '&': '^&', '\n': ' ', '%': '^%', $: '^$', '{': '^{', '}': '^}' },
    ' ^\r\n  '
  ),
  'curl, PowerShell': curlOf('"', { '"': '`"', $: '`$', '\n': '`n' }, ' `\n  '),
  'Python string': written('note = "', inString, '"\nrun(note)\n'),
  'Python f-string': written('note = f"', (char) => ({ '{': '{{', '}': '}}' })[char] ?? inString(char), ' {now}"\n'),
  'Python plus': cut('note = ', ' + ', '\n'),
  'Python plus, over lines': cut('note = (', '\n        + ', ')\n'),
  'Python side by side': cut('note = (', '\n        ', ')\n'),
  'Python side by side, single': cutSingle('note = (\n    ', '\n    ', '\n)\n'),
  'Python side by side, pieces of 40': cut('note = (\n    ', '\n    ', '\n)\n', 40),
  'Python f-strings side by side': cut('note = (f', '\n        f', ')\n'),
  'Python bytes side by side': cut('note = (b', '\n        b', ')\n'),
  'Python backslash': pieced('note = "', '\\\n', '"\n', 0, inString),
  'Python join': cut('note = "".join([', ', ', '])\n'),
  'JavaScript plus': cutSingle('const note = ', ' + ', ';\n'),
  'JavaScript plus, over lines': cutSingle('const note =\n  ', ' +\n  ', ';\n'),
  'JavaScript plus, pieces of 30': cutSingle('const note =\n  ', ' +\n  ', ';\n', 30),
  'template literal': escaped('const note = `', { '`': '\\`', $: '\\$', '\\': '\\\\' }, ' ${now}`;\n'),
  'template literals plus': pieced('const note = `', '` + `', '`;\n'),
  'Go string': written('\tnote := "', inString, '"\n'),
  'Go raw string': framed('\tnote := `', '`\n'),
  'Go plus, over lines': cut('\tnote := ', ' +\n\t\t', '\n'),
  'Java string': written('String note = "', inString, '";\n'),
  'Java plus, over lines': cut('String note = ', '\n            + ', ';\n'),
  'Java append': cut('String note = new StringBuilder().append(', ').append(', ').toString();\n'),
  'Java concat': cut('String note = ', '.concat(', ');\n'),
  'Ruby shovel': cutSingle('note = ', ' << ', '\n'),
  'Ruby backslash': cutSingle('note = ', ' \\\n       ', '\n'),
  'Ruby plus': cutSingle('note = ', ' + ', '\n'),
  'C#': written('var note = "', inString, '";\n'),
  'C# verbatim': escaped('var note = @"', { '"': '""' }, '";\n'),
  'C# plus': cut('var note = ', '\n    + ', ';\n'),
  'PHP dot': cutSingle('$note = ', ' . ', ';\n'),
  'PHP dot, tight': cutSingle('$note = ', '.', ';\n'),
  'PHP dot, over lines': cutSingle('$note = ', '\n    . ', ';\n'),
  'PHP, appended': cutSingle('$note = ', ';\n$note .= ', ';\n'),
  'JavaScript, appended': cutSingle('let note = ', ';\nnote += ', ';\n'),
  'Lua dots': cut('local note = ', ' .. ', '\n'),
  'Perl dot': cut('my $note = ', ' . ', ';\n'),
  'SQL bars': cutSingle('SELECT ', ' || ', ';\n'),
  'Basic ampersand': cut('note = ', ' & ', '\n'),
  'Basic ampersand, over lines': cut('note = ', ' & _\r\n    ', '\n'),
  'Haskell, Elixir': cut('note = ', ' <> ', '\n'),
  'Haskell, Erlang': cut('note = ', ' ++ ', '\n'),
  'F#, OCaml': cut('let note = ', ' ^ ', '\n'),
  'R paste': cut('note <- paste0(', ', ', ')\n'),
  'Rust concat': cut('let note = concat!(', ', ', ');\n'),
  'Rust backslash': pieced('let note = "', '\\\n         ', '";\n', 0, inString),
  'C side by side': cut('const char *note = ', '\n    ', ';\n'),
  'C side by side, pieces of 60': cut('const char note[] =\n    ', '\n    ', ';\n', 60),
  'C backslash': pieced('#define NOTE "', '\\\n', '"\n', 0, inString),
  Swift: written('let note = "', inString, '"\n'),
  'Swift three quotes': pieced('let note = """\n', '\\\n', '\n"""\n'),
  Kotlin: escaped('val note = "', { ...c, $: '\\$' }, '"\n'),
  'Kotlin plus': cut('val note = ', ' +\n    ', '\n'),
  'PowerShell plus': cut('$note = ', ' + ', '\n'),
  'Makefile backslash': pieced('NOTE = ', '\\\n\t', '\nall:\n'),
  'shell, pieces side by side': cut('X=', '', '\nrun\n'),
  'shell, appended': cut('X=', '\nX+=', '\nrun\n'),
  'shell, backslash in a string': pieced('X="', '\\\n', '"\nrun\n'),
  'Terraform join': cut('note = join("", [', ', ', '])\n'),
  'in an element': behind('<b>', '</b>'),
  'in a call': behind('f(', ')'),
  'HTTP dump': prefixed(() => '< ', '> GET / HTTP/1.1\n< HTTP/1.1 200 OK\n', '\n<\n'),
  HAR: within(escaped('{"log":{"entries":[{"request":{"postData":{"text":"', c, '"}}}]}}'), framed(''))
}
