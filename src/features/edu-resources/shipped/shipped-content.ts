import { composing } from './composing.ts'
import { ensembles } from './ensembles.ts'
import { harmony } from './harmony.ts'
import { rhythm } from './rhythm.ts'
import { scales } from './scales-and-modes.ts'
import type { ShippedAssignment } from './shipped-assignment.ts'
import { sightReading } from './sight-reading.ts'
import { songs } from './songs.ts'

/**
 * Which edition of the shipped content this is. It goes up by one whenever something in it changes: installations with an
 * earlier one are brought up to date when they start.
 */
export const contentVersion = 3

/** Every assignment that ships with Partita. */
export const shippedContent: readonly ShippedAssignment[] = [
  ...rhythm,
  ...scales,
  ...songs,
  ...sightReading,
  ...harmony,
  ...composing,
  ...ensembles,
]
