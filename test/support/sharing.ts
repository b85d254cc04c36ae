import type { AccessLevel } from '../../src/platform/db/tables.ts'
import { insertGroup, insertGroupMember } from '../../src/features/people/groups/store.ts'
import { type GrantTarget, type Holder, saveGrant } from '../../src/features/library/sharing/grants.store.ts'
import { insertCollectionScore } from '../../src/features/library/scores/collection-scores.store.ts'
import { sortKey } from '../../src/lib/sort-key.ts'
import type { Person, TestApp } from './app.ts'

/** Inserts a group of an organization. Returns its id. */
export async function newGroup(
  { ctx }: TestApp,
  organization: string,
  name: string,
  ...members: Person[]
): Promise<string> {
  const id = ctx.newId()
  const created_at = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    await insertGroup(tx, {
      id,
      organization_id: organization,
      type: 'generic',
      name,
      name_key: sortKey(name),
      class_id: null,
      parent_id: null,
      tags: '[]',
      created_at,
    })
    for (const { id: user_id } of members)
      await insertGroupMember(tx, { group_id: id, user_id, created_at, placement: null })
  })
  return id
}

const levels = { read: 1, write: 2, admin: 3 } as const satisfies Record<string, AccessLevel>

/** The level of a grant. Each one includes those before it. */
export type GrantLevel = keyof typeof levels

/** Grants access to a score or a collection, even if no request could do so. Returns the id of the grant. */
export async function give(
  app: TestApp,
  target: GrantTarget,
  holder: Holder,
  level: GrantLevel,
): Promise<string> {
  const [id = ''] = await giveEach(app, target, [[holder, level]])
  return id
}

/** Gives several holders access in one transaction. Returns the ids of the grants. */
export async function giveEach(
  { ctx }: TestApp,
  target: GrantTarget,
  given: readonly (readonly [Holder, GrantLevel])[],
): Promise<string[]> {
  const now = ctx.clock.now()
  return ctx.transaction((tx) =>
    Promise.all(
      given.map(([holder, level]) =>
        saveGrant(tx, target, holder, { id: ctx.newId(), level: levels[level], by: ctx.newId(), now }),
      ),
    ),
  )
}

/** Puts a score into a collection for a user who opened the score, with its sharing key or without one. */
export async function addCollectionScore(
  { ctx }: TestApp,
  collection: string,
  score: string,
  by: Person,
  sharingKey: string | null = null,
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.transaction((tx) =>
    insertCollectionScore(tx, {
      collection_id: collection,
      score_id: score,
      trashed: 0,
      title_key: '',
      composer_key: '',
      duration: 0,
      created_at: now,
      modified_at: now,
      added_by: by.id,
      sharing_key: sharingKey,
    }),
  )
}

/** Returns the collaborators of a response other than the owner. */
export const withoutOwner = <One>(collaborators: readonly object[]): One[] =>
  collaborators.filter((one) => !('collaboratorType' in one && one.collaboratorType === 'owner')) as One[]
