/**
 * Made-up values that look real enough to be found. They are assembled from pieces, so that no secret scanner takes
 * this file for a leak. The telephone number is from a range that the German regulator reserves for fiction.
 */
import { base62, crc32 } from '../src/detection/validators/crc32.ts'

const mailAt = (name: string): string => [name, ['imaginary-bakery', 'com'].join('.')].join('@')

export const customerMail = mailAt('ines.moreau')
export const bakerMail = mailAt('tomas.lind')
export const phone = ['+49', '30', '23125', '418'].join(' ')
/** The format of a cloud access key ID: four fixed letters and sixteen characters of the base32 alphabet. */
export const cloudKeyId = ['AK', 'IA', 'FICTIONALKEYDEMO'].join('')

const forgeTokenBody = 'FictionalTokenOfTheSluiceDemo1'
/** The format of a code forge's token: a prefix, thirty characters and their checksum, which is correct here. */
export const forgeToken = ['gh', 'p_', forgeTokenBody, base62(crc32(forgeTokenBody), 6)].join('')
