import type { ScoreDetails } from '../../contract/scores.ts'
import type { Queries } from '../../db/database.ts'
import { findInstrumentByKey, instrumentName } from '../../music/instruments.ts'
import type { Actor, Context, Viewer } from '../../operation.ts'
import { presentUser } from '../users/present.ts'
import { accessOfRank } from './access.ts'
import { listGrants } from './grants.ts'
import { listLiked } from './likes.ts'
import type { ListedScore } from './lists.ts'
import { canRead, type LoadedScore, loadScore, rightsOn } from './policy.ts'
import { type Instruments, presentCollaborators, presentScore } from './present.ts'
import { listOwners } from './store.ts'

/** What of a score that was loaded decides what is shown. */
type ShownScore = Pick<LoadedScore, 'score' | 'owner' | 'rights'>

/** The details of scores as this viewer may see them, with two queries at most, whatever is shared with whom. */
async function composeLoaded(
  ctx: Context,
  queries: Queries,
  viewer: Viewer,
  loaded: readonly ShownScore[],
  locale: string,
): Promise<ScoreDetails[]> {
  const { publicUrl } = ctx.config
  const shared = loaded.filter(({ score }) => score.grants > 0).map(({ score }) => score.id)
  const liked = loaded.filter(({ score }) => score.likes > 0).map(({ score }) => score.id)
  const [grants, ofViewer] = await Promise.all([
    listGrants(queries, 'score', shared),
    listLiked(queries, viewer?.id, liked),
  ])
  // A list is mostly of few owners and of few ensembles: each is presented once.
  const ownerOf = once(
    (owner: LoadedScore['owner']) => owner.id,
    (owner) =>
      ctx.recent(`owner ${owner.id}`, Object.values(owner), () => Object.freeze(presentUser(owner, publicUrl))),
  )
  const instrumentsOf = once(
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
        collaborators: presentCollaborators(granted ?? [], rights, viewer, publicUrl),
        isLiked,
        instrumentsOf,
      })
    if (granted || loaded.length === 1) return present()
    // Frozen, so that http/ may keep what it has written of it.
    const inputs = [...Object.values(score), ...Object.values(rights), user, isLiked, locale]
    return ctx.recent(`score ${score.id}`, inputs, () => Object.freeze(present()))
  })
}

/** The details of a score as this viewer may see them. */
export async function composeScore(
  ctx: Context,
  queries: Queries,
  viewer: Viewer,
  loaded: ShownScore,
  locale: string,
): Promise<ScoreDetails> {
  const [details] = await composeLoaded(ctx, queries, viewer, [loaded], locale)
  return details as ScoreDetails
}

/** The scores of a list, in its order, with one query for all their owners. */
export async function composeScores(
  ctx: Context,
  viewer: Viewer,
  scores: readonly ListedScore[],
  locale: string,
): Promise<ScoreDetails[]> {
  const owners = await listOwners(
    ctx.db.read,
    scores.map(({ owner_id }) => owner_id),
  )
  const loaded = scores.flatMap((score) => {
    const owner = owners.get(score.owner_id)
    // Deleted between the two queries.
    if (!owner) return []
    return [{ score, owner, rights: rightsOn(score, owner, viewer, accessOfRank(score.access)) }]
  })
  return composeLoaded(ctx, ctx.db.read, viewer, loaded, locale)
}

/** The score that the actor has just written. */
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

/** The same function, which makes what bears one name once only. */
function once<Given, Made>(nameOf: (given: Given) => string, make: (given: Given) => Made): (given: Given) => Made {
  const made = new Map<string, Made>()
  return (given) => {
    const name = nameOf(given)
    const known = made.get(name)
    if (known !== undefined) return known
    const value = make(given)
    made.set(name, value)
    return value
  }
}
