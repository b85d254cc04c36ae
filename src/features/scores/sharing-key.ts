import { randomBytes } from 'node:crypto'

/** A key that opens a score to whoever has it: 128 hex characters. */
export const newSharingKey = (): string => randomBytes(64).toString('hex')
