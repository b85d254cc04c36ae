import type { AccessLevel } from '../../src/db/tables.ts'
import { insertGroup, insertGroupMember } from '../../src/features/groups/store.ts'
import { type Granted, type Holder, saveGrant } from '../../src/features/scores/grants.ts'
import { insertCollectionScore } from '../../src/features/scores/store.ts'
import { sortKey } from '../../src/lib/sort-key.ts'
import type { Person, TestApp } from './app.ts'

/** Makes a group of an organization; its id. */
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
      tags: '[]',
      created_at,
    })
    for (const { id: user_id } of members) await insertGroupMember(tx, { group_id: id, user_id, created_at })
  })
  return id
}

/** Gives a score or a collection to somebody, whether or not the interface would let anyone do so. */
export async function give({ ctx }: TestApp, what: Granted, holder: Holder, level: AccessLevel): Promise<string> {
  const grant = { id: ctx.newId(), level, by: ctx.newId(), now: ctx.clock.now() }
  return ctx.transaction((tx) => saveGrant(tx, what, holder, grant))
}

/** Puts a score into a collection for somebody who opened it, by its sharing key or without one. */
export async function putInto(
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
      created_at: now,
      modified_at: now,
      added_by: by.id,
      sharing_key: sharingKey,
    }),
  )
}
