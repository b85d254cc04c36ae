import type { Collection } from '../../../contract/collections.ts'
import type { ResourceRights } from '../../../contract/sharing.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { CollectionsTable } from '../../../platform/db/score-tables.ts'
import { type FailureDetails, fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { accessOfRank, noRights, ownersRights, rightsThrough } from '../sharing/access.ts'
import type { SharedResource } from '../scores/collaborators.ts'
import type { UserScoreList } from '../scores/lists.store.ts'
import { type Caller, canReach } from '../scores/policy.ts'
import {
  appKey,
  type CollectionRow,
  findAppCollection,
  findAppName,
  findCollection,
  findCollectionOfApp,
  insertCollection,
} from './store.ts'

const virtualTypes = ['root', 'allScores', 'collaborations', 'likes', 'trash'] as const

/** A collection without a row. Its contents are computed from the scores. */
export interface VirtualCollection {
  type: (typeof virtualTypes)[number]
}

export type LoadedCollection = CollectionRow | VirtualCollection

const scoreListKinds = {
  root: 'library',
  allScores: 'library',
  collaborations: 'shared',
  likes: 'liked',
  trash: 'trash',
} as const satisfies Record<VirtualCollection['type'], UserScoreList['in']>

/** Returns the list of scores that a virtual collection of a user shows. */
export const scoreListOf = ({ type }: VirtualCollection, user: string): UserScoreList => ({
  in: scoreListKinds[type],
  user,
})

const isVirtualType = (type: string): type is VirtualCollection['type'] =>
  (virtualTypes as readonly string[]).includes(type)

/** Returns the rights of a caller on a collection. A collection in the trash is visible only to its owner. */
export function rightsOn(collection: LoadedCollection, caller: Caller): ResourceRights {
  if (!('id' in collection) || collection.user_id === caller.id) return ownersRights
  const access = accessOfRank(collection.access)
  if (!access || collection.deletion_at !== null || !canReach(collection, caller)) return noRights
  return rightsThrough(access)
}

/** Returns a collection in the form that the functions for grants take. */
export function sharedResourceOf({ id, user_id, ...owner }: CollectionRow): SharedResource {
  const { organization_id, organization_role, allows_public_scores } = owner
  return {
    on: 'collection',
    id,
    owner: { id: user_id, organization_id, organization_role, allows_public_scores },
  }
}

export type Capabilities = Collection['capabilities']

/**
 * Returns what a caller with these rights can do with a collection. Virtual collections are read-only, except
 * that `root` accepts scores, because some clients still name it.
 */
export function capabilitiesOf(collection: LoadedCollection, rights: ResourceRights): Capabilities {
  const isStored = 'id' in collection
  const canWrite = isStored && rights.aclWrite
  return {
    canEdit: canWrite,
    canShare: collection.type === 'regular' && rights.aclAdmin,
    canDelete: isStored && rights.collaboratorType === 'owner',
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

/** @throws COLLECTION_ACCESS_DENIED unless the caller owns the collection */
export function checkCanPin({ user_id }: CollectionRow, caller: Caller): void {
  if (user_id !== caller.id) fail('COLLECTION_ACCESS_DENIED', { param: 'isPinned' })
}

/**
 * Resolves the alias `app` to the id of the app's collection, which is created at its first use. Returns any
 * other id unchanged.
 */
export async function resolveCollection(ctx: Context, actor: Actor, idOrAlias: string): Promise<string> {
  if (idOrAlias !== 'app') return idOrAlias
  const owner = appCallerOf(actor)
  const known = await findAppCollection(ctx.db.read, owner.id, appKey(owner.app))
  return known ?? ctx.transaction((tx) => openAppCollection(ctx, tx, owner))
}

/**
 * Loads a collection and checks that the caller has the required capability.
 * @param idOrAlias an id or the type of a virtual collection, as returned by `resolveCollection`
 * @throws COLLECTION_NOT_FOUND if the collection does not exist or the caller cannot see it;
 *   COLLECTION_ACCESS_DENIED if the
 *   caller can see it but does not have the capability
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
 * Loads a collection for reading. It is like `resolveCollection` and `loadCollection`, with one query for all of the collections.
 * @throws as `loadCollection` does
 */
export async function openCollection(
  ctx: Context,
  actor: Actor,
  idOrAlias: string,
): Promise<LoadedCollection> {
  if (idOrAlias === 'app') {
    const { id: user, app } = appCallerOf(actor)
    const known = await findCollectionOfApp(ctx.db.read, { user, app: appKey(app) })
    if (known) return known
  }
  const id = await resolveCollection(ctx, actor, idOrAlias)
  return loadCollection(ctx.db.read, actor, id, canSee)
}

/**
 * Loads a collection that is neither virtual nor in the trash.
 * @throws as `loadCollection` does; COLLECTION_TRASHED
 */
export async function loadStoredCollection(
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

/** Returns null for a collection whose contents are computed, so that a copy into it is in no collection. */
export const storedTargetOf = (requested: string | undefined | null): string | undefined | null =>
  requested === 'allScores' || requested === 'collaborations' || requested === 'likes' ? null : requested

/** The user who adds a score to a collection, and the app that the user does this with. */
export interface AppCaller extends Caller {
  app: string | undefined
}

export const appCallerOf = ({ id, organization, access }: Actor): AppCaller => ({
  id,
  organization,
  app: access.app,
})

/**
 * Checks that the owner can add a score to the requested collection. `root` and null mean no collection.
 * @throws as `loadStoredCollection` does
 */
export async function checkTargetCollection(
  queries: Queries,
  owner: AppCaller,
  requested: string | undefined | null,
): Promise<void> {
  if (requested == null || requested === 'app' || requested === 'root') return
  await loadStoredCollection(queries, owner, requested, canAddScores, { param: 'collection' })
}

/**
 * Returns the id of the collection for a new score, or undefined for none. Creates the collection of the app
 * if needed.
 * @throws as `checkTargetCollection` does
 */
export async function openTargetCollection(
  ctx: Context,
  tx: Transaction,
  owner: AppCaller,
  requested: string | undefined | null,
): Promise<string | undefined> {
  await checkTargetCollection(tx, owner, requested)
  if (requested === 'root' || requested === null) return undefined
  return requested === undefined || requested === 'app' ? openAppCollection(ctx, tx, owner) : requested
}

async function openAppCollection(ctx: Context, tx: Transaction, owner: AppCaller): Promise<string> {
  const app = appKey(owner.app)
  const known = await findAppCollection(tx, owner.id, app)
  if (known) return known
  const title = (owner.app && (await findAppName(tx, owner.app))) ?? 'Personal access tokens'
  const collection = newCollection(ctx, { user_id: owner.id, type: 'app', app, title })
  await insertCollection(tx, collection)
  return collection.id
}

/** Returns the row of a new collection. */
export function newCollection(
  ctx: Context,
  properties: Pick<CollectionsTable, 'user_id' | 'type' | 'app' | 'title'>,
): CollectionsTable {
  const now = ctx.clock.now()
  return {
    ...properties,
    id: ctx.newId(),
    title_key: sortKey(properties.title),
    created_at: now,
    modified_at: now,
    grants: 0,
    is_pinned: 0,
    deletion_at: null,
  }
}
