import { musicXml } from '../test/support/scores.ts'

export const attackNames = [
  'a score that engines cannot take',
  'pages that do not exist',
  '200 uploads',
  '20 slow bodies',
  '10 WAV tasks',
] as const

export type AttackName = (typeof attackNames)[number]

/** The scores and the account that attacks use. */
export interface AttackTarget {
  readonly url: string
  /** The token of the attacking account. */
  readonly attacker: string
  /** A public score that engines cannot take. Undefined if the server has refused it. */
  readonly poisoned: string | undefined
  /** A large public score. */
  readonly large: string
}

/** A score of 2,000 measures. */
export const longPiece = musicXml({ measures: Array.from({ length: 2000 }, () => 'C4 E4 G4 E4') })
