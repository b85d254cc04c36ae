import type { RefusalReason } from '../../../src/music/editing/refusal.ts'
import type { TextKey } from '../../../src/texts/catalogue.ts'

/** Returns the text that says why an operation was refused. */
export const refusalText = (reason: RefusalReason): TextKey => `editing.refusal.${reason}`
