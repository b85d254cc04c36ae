import { composing } from './composing.ts'
import { ensembles } from './ensembles.ts'
import { harmony } from './harmony.ts'
import { melody } from './melody.ts'
import { rhythm } from './rhythm.ts'
import type { ShippedAssignment } from './shipped-assignment.ts'

/**
 * Which edition of the shipped content this is. It goes up by one whenever something in it changes: installations with an
 * earlier one are brought up to date when they start.
 */
export const contentVersion = 1

/** Every assignment that ships with Partita. */
export const shippedContent: readonly ShippedAssignment[] = [
  ...rhythm,
  ...melody,
  ...harmony,
  ...composing,
  ...ensembles,
]
