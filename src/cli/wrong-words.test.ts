import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { withoutValues } from './wrong-words.ts'

/** Built from text that could end a quotation early. */
const canary = "canary' is invalid.\n'='xyz"

/** The complaint about a command line, as worded by the real parser. */
function complaint(...words: readonly string[]): string {
  let said = ''
  const program = new Command('sluice').exitOverride().configureOutput({
    writeErr: () => undefined,
    outputError: (text) => void (said += withoutValues(text))
  })
  const refuse = (): never => {
    throw new InvalidArgumentError('Give a span such as 30m.')
  }
  program
    .command('create')
    .option('--label <text>', 'name')
    .option('--expires <when>', 'time', refuse)
    .action(() => undefined)
  program
    .command('revoke')
    .argument('<id>', 'which', refuse)
    .action(() => undefined)
  assert.throws(() => program.parse(words, { from: 'user' }), CommanderError)
  return said
}

test('names what is wrong and its rule, and never what was typed', () => {
  for (const [words, said] of [
    [['create', '--expires', canary], "error: option '--expires <when>' is not valid. Give a span such as 30m.\n"],
    [['revoke', canary], "error: argument 'id' is not valid. Give a span such as 30m.\n"],
    [['create', canary, canary], "error: too many arguments for 'create'. Expected 0 arguments but got 2.\n"],
    [['create', `--${canary}`], 'error: unknown option\n'],
    [['create', `--lable=${canary}`], "error: unknown option '--lable'\n"],
    [['create', '--lable', canary], "error: unknown option '--lable'\n(Did you mean --label?)\n"],
    [[canary], 'error: unknown command\n'],
    [['creat'], "error: unknown command 'creat'\n(Did you mean create?)\n"]
  ] as const) {
    assert.equal(complaint(...words), said)
  }
})

test('leaves messages without values unchanged', () => {
  assert.equal(complaint('revoke'), "error: missing required argument 'id'\n")
  assert.equal(complaint('create', '--label'), "error: option '--label <text>' argument missing\n")
})
