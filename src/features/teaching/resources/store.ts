import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { DemoClassesTable, EduResourcesTable } from '../../../platform/db/school-tables.ts'
import { deleteAssignments } from '../assignments/store.ts'

/** A resource with the data of its library's owner that decides who can see it. */
export type ResourceRow = EduResourcesTable & {
  /** The organization that owns the library, or the organization of the user who owns it. */
  owner_organization: string | null
  allows_public_scores: 0 | 1 | null
}

const resourcesById = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db
    .selectFrom('edu_resources')
    .leftJoin('users as owner', 'owner.id', 'edu_resources.user_id')
    .leftJoin('organizations', (join) =>
      join.on((eb) =>
        eb('organizations.id', '=', eb.fn.coalesce('edu_resources.organization_id', 'owner.organization_id')),
      ),
    )
    .where(p.isIn('edu_resources.id', 'ids'))
    .where('owner.deletion_at', 'is', null)
    .where((eb) => eb.or([eb('owner.id', 'is', null), eb('owner.organization_role', '!=', 'user')]))
    .selectAll('edu_resources')
    .select(['organizations.id as owner_organization', 'organizations.allows_public_scores']),
)

/**
 * Finds a resource. Resources in the own library of a user exist only while the user works at an
 * organization.
 */
export async function findResource(queries: Queries, id: string): Promise<ResourceRow | undefined> {
  const [row] = await resourcesById(queries, { ids: [id] })
  return row
}

/** Finds several resources, in no particular order. */
export async function listResourcesById(queries: Queries, ids: readonly string[]): Promise<ResourceRow[]> {
  return ids.length > 0 ? resourcesById(queries, { ids }) : []
}

export const insertResource = insertion('edu_resources')

export type ResourceChange = Partial<
  Pick<
    EduResourcesTable,
    | 'title'
    | 'title_key'
    | 'description'
    | 'description_html'
    | 'privacy'
    | 'subjects'
    | 'grades'
    | 'assignment_type'
    | 'updated_at'
  >
>

export async function updateResource(tx: Transaction, id: string, change: ResourceChange): Promise<void> {
  await tx.updateTable('edu_resources').set(change).where('id', '=', id).execute()
}

const ancestorFolders = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom(
      sql<{ id: string }>`(
        with recursive above(id, parent_id) as (
          select id, parent_id from edu_resources where id = ${p('id')}
          union all
          select edu_resources.id, edu_resources.parent_id
            from above inner join edu_resources on edu_resources.id = above.parent_id
        )
        select id from above)`.as('above'),
    )
    .select('above.id'),
)

/** Returns the ids of a folder and all folders above it. */
export async function listAncestorFolders(queries: Queries, folder: string): Promise<string[]> {
  return (await ancestorFolders(queries, { id: folder })).map(({ id }) => id)
}

const subtree = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom(
      sql<{ id: string; level: number }>`(
        with recursive subtree(id, level) as (
          select id, 0 from edu_resources where id = ${p('id')}
          union all
          select edu_resources.id, subtree.level + 1
            from subtree inner join edu_resources on edu_resources.parent_id = subtree.id
        )
        select id, level from subtree)`.as('inside'),
    )
    .innerJoin('edu_resources', 'edu_resources.id', 'inside.id')
    .selectAll('edu_resources')
    .select('inside.level')
    .orderBy('inside.level')
    .orderBy('edu_resources.id'),
)

/** A resource in a subtree. `level` is its depth below the root of the subtree. */
export type SubtreeRow = EduResourcesTable & { level: number }
export async function listSubtree(queries: Queries, id: string): Promise<SubtreeRow[]> {
  return subtree(queries, { id })
}

/** The columns that define where a resource is. */
export type ResourceLocation = Pick<EduResourcesTable, 'user_id' | 'organization_id' | 'parent_id' | 'place'>

export async function updateLocation(
  tx: Transaction,
  id: string,
  place: ResourceLocation,
  now: number,
): Promise<void> {
  await tx
    .updateTable('edu_resources')
    .set({ ...place, updated_at: now })
    .where('id', '=', id)
    .execute()
}

const moveToLibrary = compiled(
  (
    db,
    p: Params<{
      ids: readonly string[]
      user: string | null
      organization: string | null
      privacy: EduResourcesTable['privacy']
    }>,
  ) =>
    db
      .updateTable('edu_resources')
      .set({ user_id: p('user'), organization_id: p('organization'), privacy: p('privacy') })
      .where(p.isIn('id', 'ids')),
)

/**
 * Moves resources to the library of a user, where they become private, or of an organization, where they
 * become visible to the organization.
 */
export async function updateLibrary(
  tx: Transaction,
  ids: readonly string[],
  { user_id, organization_id }: Pick<ResourceLocation, 'user_id' | 'organization_id'>,
): Promise<void> {
  const privacy = user_id === null ? 'organizationPublic' : 'private'
  await moveToLibrary(tx, { ids, user: user_id, organization: organization_id, privacy })
}

const deleteResourcesById = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.deleteFrom('edu_resources').where(p.isIn('id', 'ids')),
)

/** Deletes resources with their assignments. The contents of a folder are deleted with it. */
export async function deleteResources(
  tx: Transaction,
  rows: readonly Pick<EduResourcesTable, 'id' | 'assignment_id'>[],
): Promise<void> {
  await deleteResourcesById(tx, { ids: rows.map(({ id }) => id) })
  await deleteAssignments(tx, { ids: rows.flatMap(({ assignment_id }) => assignment_id ?? []) })
}

export async function findDemoClassId(queries: Queries, user: string): Promise<string | undefined> {
  const row = await queries
    .selectFrom('demo_classes')
    .where('user_id', '=', user)
    .select('class_id')
    .executeTakeFirst()
  return row?.class_id
}

export async function replaceDemoClass(tx: Transaction, demo: DemoClassesTable): Promise<void> {
  await tx.deleteFrom('demo_classes').where('user_id', '=', demo.user_id).execute()
  await tx.insertInto('demo_classes').values(demo).execute()
}

/** A user and the organization whose library is searched. */
export interface LibraryOwner {
  user: string
  organization: string
}

/** Returns the resources in the library of an organization that a user created. */
export async function listCreatedBy(
  tx: Transaction,
  { user, organization }: LibraryOwner,
): Promise<Pick<EduResourcesTable, 'id' | 'assignment_id'>[]> {
  return tx
    .selectFrom('edu_resources')
    .where('organization_id', '=', organization)
    .where('creator_id', '=', user)
    .select(['id', 'assignment_id'])
    .execute()
}

/**
 * Returns the attachments that a user added in the library of an organization, including those of resources
 * of other users. `owner_id` is the owner of the score; null if the score is in the trash.
 */
export async function listAttachedBy(tx: Transaction, { user, organization }: LibraryOwner) {
  return tx
    .selectFrom('edu_resources')
    .innerJoin('assignment_attachments as attached', 'attached.assignment_id', 'edu_resources.assignment_id')
    .leftJoin('scores', (join) =>
      join.onRef('scores.id', '=', 'attached.score_id').on('scores.trashed', '=', 0),
    )
    .where('edu_resources.organization_id', '=', organization)
    .where('attached.attached_by', '=', user)
    .select(['attached.assignment_id', 'attached.score_id', 'scores.owner_id'])
    .execute()
}

/** Changes the creator of resources. */
export async function updateMaker(
  tx: Transaction,
  ids: readonly string[],
  creator_id: string,
): Promise<void> {
  for (const id of ids)
    await tx.updateTable('edu_resources').set({ creator_id }).where('id', '=', id).execute()
}

/** Makes all resources in the own library of a user private. */
export async function closeLibrary(tx: Transaction, user: string): Promise<void> {
  await tx.updateTable('edu_resources').set({ privacy: 'private' }).where('user_id', '=', user).execute()
}

/** Returns the ids of all resources in the own library of a user. */
export async function listLibraryOf(
  tx: Transaction,
  user: string,
): Promise<Pick<EduResourcesTable, 'id' | 'assignment_id'>[]> {
  return tx.selectFrom('edu_resources').where('user_id', '=', user).select(['id', 'assignment_id']).execute()
}

/** Whether a copy of an assignment of a class exists anywhere in the library of this place. */
export async function hasCopyOf(
  queries: Queries,
  assignment: string,
  { user_id, organization_id }: Pick<ResourceLocation, 'user_id' | 'organization_id'>,
): Promise<boolean> {
  const copies = await queries
    .selectFrom('edu_resources')
    .where('copied_from', '=', assignment)
    .select(['user_id', 'organization_id'])
    .execute()
  return copies.some((copy) => copy.user_id === user_id && copy.organization_id === organization_id)
}

/** Returns the edition of the shipped library; 0 before the first one is installed. */
export async function findContentVersion(queries: Queries): Promise<number> {
  const { version } = await queries
    .selectFrom('edu_resources')
    .where('place', '=', 'flatEduContent')
    .select((eb) => eb.fn.max('content_version').as('version'))
    .executeTakeFirstOrThrow()
  return version ?? 0
}

/** Inserts or replaces a resource of the shipped library. */
export async function saveShippedResource(tx: Transaction, resource: EduResourcesTable): Promise<void> {
  await tx
    .insertInto('edu_resources')
    .values(resource)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(resource))
    .execute()
}

/** Returns the resources of the shipped library that belong to an earlier edition. */
export async function listOutdated(
  queries: Queries,
  version: number,
): Promise<Pick<EduResourcesTable, 'id' | 'assignment_id'>[]> {
  return queries
    .selectFrom('edu_resources')
    .where('place', '=', 'flatEduContent')
    .where('content_version', '<', version)
    .select(['id', 'assignment_id'])
    .execute()
}
