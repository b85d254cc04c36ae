import type { ScoreDetails } from '../../contract/scores.ts'
import type { Queries } from '../../db/database.ts'
import { findInstrumentByKey, instrumentName } from '../../music/instruments.ts'
import type { Actor, Context, Viewer } from '../../operation.ts'
import { presentUser } from '../users/present.ts'
import { canRead, type LoadedScore, loadScore, rightsOn } from './policy.ts'
import { presentScore } from './present.ts'
import { listOwners, type ScoreRow } from './store.ts'

/** The details of a score as this viewer may see them. */
export function composeScore(ctx: Context, { score, owner, rights }: LoadedScore, locale: string): ScoreDetails {
  const { publicUrl } = ctx.config
  return presentScore(score, rights, {
    publicUrl,
    owner: presentUser(owner, publicUrl),
    namesOf: (instruments) => namesOf(instruments, locale),
  })
}

/** The scores of a list, in its order, with one query for all their owners. */
export async function composeScores(
  ctx: Context,
  viewer: Viewer,
  scores: readonly ScoreRow[],
  locale: string,
): Promise<ScoreDetails[]> {
  const { publicUrl } = ctx.config
  const owners = await listOwners(ctx.db.read, scores)
  const presented = new Map([...owners].map(([id, owner]) => [id, presentUser(owner, publicUrl)]))
  return scores.flatMap((score) => {
    const [row, owner] = [owners.get(score.owner_id), presented.get(score.owner_id)]
    // Deleted between the two queries.
    if (!row || !owner) return []
    const around = { publicUrl, owner, namesOf: (instruments: readonly string[]) => namesOf(instruments, locale) }
    return [presentScore(score, rightsOn(score, row, viewer), around)]
  })
}

/** The score that the actor has just written. */
export async function composeWrittenScore(
  ctx: Context,
  queries: Queries,
  actor: Actor,
  id: string,
  locale: string,
): Promise<ScoreDetails> {
  return composeScore(ctx, await loadScore(queries, actor, id, canRead), locale)
}

function namesOf(instruments: readonly string[], locale: string): string[] {
  return instruments.map((key) => {
    const instrument = findInstrumentByKey(key)
    return instrument ? instrumentName(instrument, locale) : key
  })
}
