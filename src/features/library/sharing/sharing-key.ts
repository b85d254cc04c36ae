import { randomBytes } from 'node:crypto'

/** Creates the key of a private link: 128 random hexadecimal digits. */
export const newSharingKey = (): string => randomBytes(64).toString('hex')
