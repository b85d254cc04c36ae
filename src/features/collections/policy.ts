import type { Collection } from '../../contract/collections.ts'
import type { ResourceRights } from '../../contract/sharing.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import type { CollectionsTable } from '../../db/tables.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import { sortKey } from '../../lib/sort-key.ts'
import type { Actor, Context } from '../../operation.ts'
import { accessOfRank, noRights, ownersRights, rightsThrough } from '../scores/access.ts'
import type { Shared } from '../scores/collaborators.ts'
import type { UserPlace } from '../scores/lists.ts'
import { type Caller, isWithinReach } from '../scores/policy.ts'
import {
  appKey,
  type CollectionRow,
  findAppCollection,
  findAppName,
  findCollection,
  insertCollection,
} from './store.ts'

const virtualTypes = ['root', 'allScores', 'collaborations', 'likes', 'trash'] as const

/** A collection that no row stands for: what is in it follows from the scores themselves. */
export interface VirtualCollection {
  type: (typeof virtualTypes)[number]
}

export type LoadedCollection = CollectionRow | VirtualCollection

const placesInScores = {
  root: 'library',
  allScores: 'library',
  collaborations: 'shared',
  likes: 'liked',
  trash: 'trash',
} as const satisfies Record<VirtualCollection['type'], UserPlace['in']>

/** Which scores are in a virtual collection of a user's. */
export const placeOf = ({ type }: VirtualCollection, user: string): UserPlace => ({ in: placesInScores[type], user })

const isVirtualType = (type: string): type is VirtualCollection['type'] =>
  (virtualTypes as readonly string[]).includes(type)

/** What a caller may do with a collection. One in the trash is for its owner alone. */
export function rightsOn(collection: LoadedCollection, caller: Caller): ResourceRights {
  if (!('id' in collection) || collection.user_id === caller.id) return ownersRights
  const access = accessOfRank(collection.access)
  if (!access || collection.deletion_at !== null || !isWithinReach(collection, caller)) return noRights
  return rightsThrough(access)
}

/** What is shared, where grants are given and taken. */
export function sharedOf({ id, user_id, ...owner }: CollectionRow): Shared {
  const { organization_id, organization_role, allows_public_scores } = owner
  return { on: 'collection', id, owner: { id: user_id, organization_id, organization_role, allows_public_scores } }
}

export type Capabilities = Collection['capabilities']

/**
 * What these rights make of a collection for its caller. Virtual ones cannot be changed, and only `root` takes scores, for
 * the clients that still name it.
 */
export function capabilitiesOf(collection: LoadedCollection, rights: ResourceRights): Capabilities {
  const isKept = 'id' in collection
  const canWrite = isKept && rights.aclWrite
  return {
    canEdit: canWrite,
    canShare: collection.type === 'regular' && rights.aclAdmin,
    canDelete: isKept && rights.collaboratorType === 'owner',
    canAddScores: canWrite || collection.type === 'root',
    canDeleteScores: canWrite,
  }
}

export const isTrashed = (collection: LoadedCollection): boolean =>
  'id' in collection && collection.deletion_at !== null

export const canSee = (): boolean => true
export const canEdit = (capabilities: Capabilities): boolean => capabilities.canEdit
export const canShare = (capabilities: Capabilities): boolean => capabilities.canShare
const canAddScores = (capabilities: Capabilities): boolean => capabilities.canAddScores
export const canDeleteScores = (capabilities: Capabilities): boolean => capabilities.canDeleteScores

/** The id that stands in a path, or the one behind `app`: the collection of an app is made when it is first asked for. */
export async function resolveCollection(ctx: Context, actor: Actor, idOrAlias: string): Promise<string> {
  if (idOrAlias !== 'app') return idOrAlias
  const owner = placingOf(actor)
  const known = await findAppCollection(ctx.db.read, owner.id, appKey(owner.app))
  return known ?? ctx.transaction((tx) => openAppCollection(ctx, tx, owner))
}

/**
 * A collection, for someone who can do this with it.
 * @param idOrAlias as `resolveCollection` gives it
 * @throws COLLECTION_NOT_FOUND when there is none that the caller may see; COLLECTION_ACCESS_DENIED when it may only be seen
 */
export async function loadCollection(
  queries: Queries,
  caller: Caller,
  idOrAlias: string,
  can: (capabilities: Capabilities) => boolean,
  details: FailureDetails = {},
): Promise<LoadedCollection> {
  const collection = isVirtualType(idOrAlias)
    ? { type: idOrAlias }
    : isId(idOrAlias) && (await findCollection(queries, { id: idOrAlias, viewer: caller.id }))
  const rights = collection ? rightsOn(collection, caller) : noRights
  if (!collection || !rights.aclRead) fail('COLLECTION_NOT_FOUND', details)
  if (!can(capabilitiesOf(collection, rights))) fail('COLLECTION_ACCESS_DENIED', details)
  return collection
}

/**
 * One that is not virtual and not in the trash.
 * @throws as `loadCollection` does; COLLECTION_TRASHED
 */
export async function loadKeptCollection(
  queries: Queries,
  caller: Caller,
  id: string,
  can: (capabilities: Capabilities) => boolean,
  details: FailureDetails = {},
): Promise<CollectionRow> {
  const collection = await loadCollection(queries, caller, id, can, details)
  if (!('id' in collection)) fail('COLLECTION_ACCESS_DENIED', details)
  if (collection.deletion_at !== null) fail('COLLECTION_TRASHED', details)
  return collection
}

/** Who puts a score into a collection, and by which app. */
export interface Placing extends Caller {
  app: string | undefined
}

export const placingOf = ({ id, organization, token }: Actor): Placing => ({ id, organization, app: token.app })

/**
 * Whether a score may go where the caller wants it; `root` stands for no collection at all.
 * @throws as `loadKeptCollection` does
 */
export async function checkPlace(queries: Queries, owner: Placing, asked: string | undefined): Promise<void> {
  if (asked === undefined || asked === 'app' || asked === 'root') return
  await loadKeptCollection(queries, owner, asked, canAddScores, { param: 'collection' })
}

/** The id of the collection to put a score into, made if need be; undefined for none. @throws as `checkPlace` does */
export async function openPlace(
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
  const collection = newCollection(ctx, { user_id: owner.id, type: 'app', app, title })
  await insertCollection(tx, collection)
  return collection.id
}

/** A collection as it begins. */
export function newCollection(
  ctx: Context,
  about: Pick<CollectionsTable, 'user_id' | 'type' | 'app' | 'title'>,
): CollectionsTable {
  const now = ctx.clock.now()
  return {
    ...about,
    id: ctx.newId(),
    title_key: sortKey(about.title),
    created_at: now,
    modified_at: now,
    grants: 0,
    deletion_at: null,
  }
}
