import type { ScoreDetails } from '../../../contract/scores.ts'
import { type MaybeCached, plain } from '../../../lib/cached-json.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { findInstrumentByKey, instrumentName } from '../../../music/model/instruments/instruments.ts'
import type { Actor, Viewer } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { presentUser } from '../../people/users/present.ts'
import { accessOfRank } from '../sharing/access.ts'
import { listGrants } from '../sharing/grants.store.ts'
import { listLiked } from './likes.store.ts'
import type { ListedScore } from './lists.store.ts'
import { canRead, type LoadedScore, loadScore, rightsOn } from './policy.ts'
import { type Instruments, presentCollaborators, presentScore } from './present.ts'
import { listOwners, type ScoreRow } from './store.ts'

/** The parts of a loaded score that decide what is shown. */
type ShownScore = Pick<LoadedScore, 'owner' | 'rights'> & { score: ScoreRow }

/** Builds the details of scores as the viewer may see them, with at most two queries. */
async function composeLoaded(
  ctx: Context,
  queries: Queries,
  viewer: Viewer,
  loaded: readonly ShownScore[],
  locale: string,
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
    if (granted || loaded.length === 1) return present()
    const inputs = [...Object.values(score), ...Object.values(rights), user, isLiked, locale]
    return ctx.presentationCache(`score ${score.id}`, inputs, present)
  })
}

/** Builds the details of one score as the viewer may see them. */
export async function composeScore(
  ctx: Context,
  queries: Queries,
  viewer: Viewer,
  loaded: ShownScore,
  locale: string,
): Promise<ScoreDetails> {
  const [details] = await composeLoaded(ctx, queries, viewer, [loaded], locale)
  return plain(details as MaybeCached<ScoreDetails>)
}

/** Builds the details of the scores of a list, in the same order. All owners are loaded with one query. */
export async function composeScores(
  ctx: Context,
  viewer: Viewer,
  scores: readonly ListedScore[],
  locale: string,
): Promise<MaybeCached<ScoreDetails>[]> {
  const owners = await listOwners(
    ctx.db.read,
    scores.map(({ owner_id }) => owner_id),
  )
  const loaded = scores.flatMap((score) => {
    const owner = owners.get(score.owner_id)
    // The owner was deleted between the two queries.
    if (!owner) return []
    return [{ score, owner, rights: rightsOn(score, owner, viewer, accessOfRank(score.access)) }]
  })
  return composeLoaded(ctx, ctx.db.read, viewer, loaded, locale)
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
  const names = keys.map((key) => {
    const instrument = findInstrumentByKey(key)
    return instrument ? instrumentName(instrument, locale) : key
  })
  return { keys, names }
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
