import type { Queries, Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import { sortKey } from '../../lib/sort-key.ts'
import type { Actor, Context } from '../../operation.ts'
import {
  appKey,
  type CollectionRow,
  findAppCollection,
  findAppName,
  findCollection,
  insertCollection,
} from './store.ts'

/** A collection that no row stands for: what is in it follows from the scores themselves. */
export interface VirtualCollection {
  type: 'root' | 'allScores' | 'trash'
}

export type LoadedCollection = CollectionRow | VirtualCollection

/** What the caller can do with a kind of collection. Trash and virtual ones take nothing and cannot be changed. */
export function capabilitiesOf(type: LoadedCollection['type']) {
  const isKept = type === 'regular' || type === 'app'
  return {
    canEdit: isKept,
    canShare: type === 'regular',
    canDelete: isKept,
    canAddScores: isKept || type === 'root',
    canDeleteScores: isKept,
  }
}

const virtualTypes: ReadonlySet<string> = new Set(['root', 'allScores', 'trash'])

/**
 * A collection of the actor by its id or alias. The one of an app is made when it is first asked for.
 * @throws COLLECTION_NOT_FOUND
 */
export async function loadCollection(ctx: Context, actor: Actor, idOrAlias: string): Promise<LoadedCollection> {
  if (virtualTypes.has(idOrAlias)) return { type: idOrAlias as VirtualCollection['type'] }
  const id = idOrAlias === 'app' ? await loadAppCollection(ctx, actor) : idOrAlias
  const collection = isId(id) ? await findCollection(ctx.db.read, id) : undefined
  if (!collection || collection.user_id !== actor.id) fail('COLLECTION_NOT_FOUND')
  return collection
}

async function loadAppCollection(ctx: Context, actor: Actor): Promise<string> {
  const owner = placingOf(actor)
  const known = await findAppCollection(ctx.db.read, owner.id, appKey(owner.app))
  return known ?? ctx.transaction((tx) => openAppCollection(ctx, tx, owner))
}

/** Whose new score it is, and by which app. */
export interface Placing {
  id: string
  app: string | undefined
}

export const placingOf = (actor: Actor): Placing => ({ id: actor.id, app: actor.token.app })

/**
 * Whether a new score may go where the caller wants it; `root` stands for no collection at all.
 * @throws COLLECTION_NOT_FOUND; COLLECTION_ACCESS_DENIED for one that takes no scores
 */
export async function checkPlace(queries: Queries, owner: Placing, asked: string | undefined): Promise<void> {
  if (asked === undefined || asked === 'app' || asked === 'root') return
  if (virtualTypes.has(asked)) fail('COLLECTION_ACCESS_DENIED', { param: 'collection' })
  const collection = isId(asked) ? await findCollection(queries, asked) : undefined
  if (collection?.user_id !== owner.id) fail('COLLECTION_NOT_FOUND', { param: 'collection' })
}

/** The id of the collection for a new score, made if need be; undefined for none. @throws as `checkPlace` does */
export async function placeNewScore(
  ctx: Context,
  tx: Transaction,
  owner: Placing,
  asked: string | undefined,
): Promise<string | undefined> {
  await checkPlace(tx, owner, asked)
  if (asked === 'root') return undefined
  return asked === undefined || asked === 'app' ? openAppCollection(ctx, tx, owner) : asked
}

async function openAppCollection(ctx: Context, tx: Transaction, owner: Placing): Promise<string> {
  const app = appKey(owner.app)
  const known = await findAppCollection(tx, owner.id, app)
  if (known) return known
  const title = (owner.app && (await findAppName(tx, owner.app))) ?? 'Personal access tokens'
  const now = ctx.clock.now()
  const id = ctx.newId()
  await insertCollection(tx, {
    id,
    user_id: owner.id,
    type: 'app',
    app,
    title,
    title_key: sortKey(title),
    created_at: now,
    modified_at: now,
  })
  return id
}
