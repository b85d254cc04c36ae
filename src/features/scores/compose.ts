import type { ScoreDetails } from '../../contract/scores.ts'
import type { Queries } from '../../db/database.ts'
import { findInstrumentByKey, instrumentName } from '../../music/instruments.ts'
import type { Actor, Context, Viewer } from '../../operation.ts'
import { presentUser } from '../users/present.ts'
import { canRead, type LoadedScore, loadScore, rightsOn } from './policy.ts'
import { presentScore } from './present.ts'
import type { ScoreRow } from './store.ts'

/** The details of a score as this viewer may see them. No query: the row of a score brings what they need. */
export function composeScore(ctx: Context, { score, rights }: LoadedScore, locale: string): ScoreDetails {
  const { publicUrl } = ctx.config
  const owner = presentUser(
    {
      id: score.owner_id,
      username: score.owner_username,
      firstname: score.owner_firstname,
      lastname: score.owner_lastname,
      organization_id: score.owner_organization_id,
      organization_role: score.owner_organization_role,
      created_at: score.owner_created_at,
    },
    publicUrl,
  )
  return presentScore(score, rights, { publicUrl, owner, namesOf: (instruments) => namesOf(instruments, locale) })
}

/** The scores of a list, in its order. The list has chosen those that the viewer may see. */
export function composeScores(
  ctx: Context,
  viewer: Viewer,
  scores: readonly ScoreRow[],
  locale: string,
): ScoreDetails[] {
  return scores.map((score) => composeScore(ctx, { score, rights: rightsOn(score, viewer) }, locale))
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
