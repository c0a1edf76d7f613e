/**
 * `node scripts/vendor-fields.ts`: sends a secret and personal data through a real service at every place in which the
 * types of the vendors' SDKs allow text, on every route and in several spellings of JSON. Ends with status 1 if
 * anything leaks or is altered. `--short` uses one place for each field of each block, and one spelling.
 */
import { parseArgs } from 'node:util'
import { sendFields } from './vendor-fields/through-ingress.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })

const { places, requests, faults } = await sendFields(options)
for (const fault of faults) console.log(fault)
console.log(`${places} places, ${requests} requests. Not as it should be: ${faults.length}.`)
process.exitCode = faults.length === 0 ? 0 : 1
