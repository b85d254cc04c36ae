import { randomInt } from 'node:crypto'

/** Without the characters that readers confuse: i, l, o, 0 and 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Returns a random code of lower-case letters and digits that is easy to read aloud. Each character has about 5 bits. */
export function newCode(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
