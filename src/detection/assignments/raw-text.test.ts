import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const found = (text: string): string[] => scanner.scan(text).map(({ start, end }) => text.slice(start, end))

test('a password in a document of one line is found, and only its line', () => {
  const password = `${filler(10)}!7`
  for (const text of [
    `password = <<EOT\n${password}\nEOT\n`,
    `  admin_password = <<-EOF\n    ${password}\n  EOF\n`,
    `password = <<~'EOS'\r\n  ${password}\r\nEOS\r\n`,
    `$password = <<<EOT\n${password}\nEOT;\n`
  ])
    assert.deepEqual(found(text), [password], text)
})

test('a document of several lines, and a placeholder in one, are no password', () => {
  for (const text of [
    'password = <<EOT\nThe password of the first user\nstands in the vault.\nEOT\n',
    'password = <<EOT\n${var.db_password}\nEOT\n',
    'password = <<password>>\n'
  ])
    assert.deepEqual(found(text), [], text)
})
