import { randomInt } from 'node:crypto'

/** Without those that are taken for one another: i, l, o, 0 and 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A code that people read to one another: small letters and digits, of about five bits each. */
export function newCode(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
