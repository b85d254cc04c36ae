import { Worker } from 'node:worker_threads'
import { musicXml } from '../test/support/scores.ts'
import type { Partita } from './servers.ts'

export const attackNames = [
  'a score that is engraved without end',
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
  /** A public score that the engraving engine never finishes. Undefined if the server has refused it. */
  readonly endlessScore: string | undefined
  /** A large public score. */
  readonly largeScore: string
}

const piece = (measures: number): string =>
  musicXml({ measures: Array.from({ length: measures }, () => 'C4 E4 G4 E4') })

export const longScore = piece(2000)

/** A score of five minutes, so that its audio is rendered within the limit of a task. */
export const audioScore = piece(150)

/** Creates the account and the scores of the attacks. */
export async function makeTarget(partita: Partita): Promise<AttackTarget> {
  const attacker = await partita.createAccount('mallory')
  const publish = async (data: string): Promise<string | undefined> => {
    const response = await partita.fetch('POST', '/v2/scores', { data, privacy: 'public' }, attacker)
    const { id } = (await response.json()) as { id?: string }
    return id
  }
  const largeScore = await publish(longScore)
  if (largeScore === undefined) throw new Error('The large score was refused')
  return { url: partita.url, attacker, endlessScore: await publish(endlessTuplet), largeScore }
}

/** One note in a tuplet of a hundred without a type, which the engraving engine never finishes. */
const endlessTuplet = musicXml({ measures: ['C4'] }).replace(
  '<type>quarter</type>',
  '<time-modification><actual-notes>100</actual-notes><normal-notes>1</normal-notes></time-modification>',
)

/** Starts an attack in a thread. It runs until the thread is terminated. */
export function startAttack(name: AttackName, target: AttackTarget): Worker {
  return new Worker(new URL('fair.attack.ts', import.meta.url), { workerData: { name, target } })
}
