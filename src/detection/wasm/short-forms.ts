/** Short forms of expressions that several functions of the module use. */
import { add, bytesOf, equal, int, load8, subtract, type Code } from './assembler.ts'

export const grown = (value: Code, by: number): Code => add(value, int(by))
export const less = (value: Code, by: number): Code => subtract(value, int(by))
export const isByte = (address: Code, code: number): Code => equal(load8(address), int(code))
/** A number in each of sixteen bytes. */
export const times16 = (value: number): Code => bytesOf(int(value))
