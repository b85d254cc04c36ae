import type { ScoreDetails } from '../../../contract/scores.ts'
import { type MaybeCached, plain } from '../../../lib/cached-json.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { findInstrumentByKey, instrumentName } from '../../../music/model/instruments/table.ts'
import { sampleOf } from '../../../music/model/instruments/samples.ts'
import type { Actor, Viewer } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { presentUser } from '../../people/users/present.ts'
import { accessOfRank } from '../sharing/access.ts'
import { listGrants } from '../sharing/grants.store.ts'
import { listLiked } from './likes.store.ts'
import type { ListedScores } from './lists.store.ts'
import { canRead, type LoadedScore, loadScore, rightsOn } from './policy.ts'
import { type Instruments, presentCollaborators, presentScore } from './present.ts'
import type { ScoreRow } from './store.ts'

/** The parts of a loaded score that decide what is shown. */
type ShownScore = Pick<LoadedScore, 'owner' | 'rights'> & { score: ScoreRow }

/**
 * Builds the details of scores as the viewer may see them, with at most two queries.
 * @param isReused whether they are likely to be composed again before they change
 */
async function composeLoaded(
  ctx: Context,
  queries: Queries,
  viewer: Viewer,
  loaded: readonly ShownScore[],
  locale: string,
  isReused: boolean,
): Promise<MaybeCached<ScoreDetails>[]> {
  const { publicUrl } = ctx.config
  const shared = loaded.filter(({ score }) => score.grants > 0).map(({ score }) => score.id)
  const liked = loaded.filter(({ score }) => score.likes > 0).map(({ score }) => score.id)
  const [grants, ofViewer] = await Promise.all([
    listGrants(queries, 'score', shared),
    listLiked(queries, viewer?.id, liked),
  ])
  // Scores in a list often have the same owner and the same instruments, so each is presented once.
  const ownerOf = memoize(
    (owner: LoadedScore['owner']) => owner.id,
    (owner) =>
      ctx.presentationCache(`owner ${owner.id}`, Object.values(owner), () => presentUser(owner, publicUrl))
        .value,
  )
  const instrumentsOf = memoize(
    (stored: string) => stored,
    (stored) => instrumentsIn(stored, locale),
  )
  return loaded.map(({ score, owner, rights }) => {
    const user = ownerOf(owner)
    const isLiked = ofViewer.has(score.id)
    const granted = grants.get(score.id)
    const present = () =>
      presentScore(score, rights, {
        publicUrl,
        owner: user,
        collaborators: presentCollaborators(
          { on: 'score', id: score.id, created_at: score.created_at },
          user,
          granted ?? [],
          rights,
          viewer,
          publicUrl,
        ),
        isLiked,
        instrumentsOf,
      })
    if (granted || !isReused) return present()
    const inputs: unknown[] = Object.values(score)
    inputs.push(...Object.values(rights), user, isLiked, locale)
    return ctx.presentationCache(`score ${score.id}`, inputs, present)
  })
}

/** Builds the details of one score as the viewer may see them, after a change. */
export async function composeScore(
  ctx: Context,
  queries: Queries,
  viewer: Viewer,
  loaded: ShownScore,
  locale: string,
): Promise<ScoreDetails> {
  const [details] = await composeLoaded(ctx, queries, viewer, [loaded], locale, false)
  return plain(details as MaybeCached<ScoreDetails>)
}

/** Builds the details of one score as the viewer may see them. */
export async function composeReadScore(
  ctx: Context,
  viewer: Viewer,
  loaded: ShownScore,
  locale: string,
): Promise<MaybeCached<ScoreDetails>> {
  const [details] = await composeLoaded(ctx, ctx.db.read, viewer, [loaded], locale, true)
  return details as MaybeCached<ScoreDetails>
}

/** Builds the details of the scores of a list, in the same order. */
export async function composeScores(
  ctx: Context,
  viewer: Viewer,
  { rows, owners }: ListedScores,
  locale: string,
): Promise<MaybeCached<ScoreDetails>[]> {
  const loaded = rows.flatMap((score) => {
    const owner = owners.get(score.owner_id)
    if (!owner) return []
    return [{ score, owner, rights: rightsOn(score, owner, viewer, accessOfRank(score.access)) }]
  })
  return composeLoaded(ctx, ctx.db.read, viewer, loaded, locale, true)
}

/** Builds the details of a score that the actor has just written. */
export async function composeWrittenScore(
  ctx: Context,
  queries: Queries,
  actor: Actor,
  id: string,
  locale: string,
): Promise<ScoreDetails> {
  return composeScore(ctx, queries, actor, await loadScore(queries, actor, id, canRead), locale)
}

/** @param stored JSON array of instrument keys */
function instrumentsIn(stored: string, locale: string): Instruments {
  const keys: string[] = JSON.parse(stored)
  const known = keys.map(findInstrumentByKey)
  const names = known.map((instrument, part) =>
    instrument ? instrumentName(instrument, locale) : (keys[part] as string),
  )
  return { keys, names, samples: known.flatMap((instrument) => (instrument ? sampleOf(instrument) : [])) }
}

/** Returns a memoized `make`, with the key from `nameOf`. */
function memoize<Input, Value>(
  nameOf: (input: Input) => string,
  make: (input: Input) => Value,
): (input: Input) => Value {
  const values = new Map<string, Value>()
  return (input) => {
    const name = nameOf(input)
    const known = values.get(name)
    if (known !== undefined) return known
    const value = make(input)
    values.set(name, value)
    return value
  }
}
