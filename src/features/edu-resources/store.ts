import { sql } from 'kysely'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { DemoClassesTable, EduResourcesTable } from '../../db/school-tables.ts'
import { deleteAssignments } from '../assignments/store.ts'

/** A resource, and what of the owner of the library decides who may see it; that is nobody where the organization owns it. */
export type ResourceRow = EduResourcesTable & {
  /** The organization of whose library it is, or to which its owner belongs. */
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
    .where('edu_resources.id', 'in', p.list('ids'))
    .where('owner.deletion_at', 'is', null)
    .where((eb) => eb.or([eb('owner.id', 'is', null), eb('owner.organization_role', '!=', 'user')]))
    .selectAll('edu_resources')
    .select(['organizations.id as owner_organization', 'organizations.allows_public_scores']),
)

/** A resource, in the own library of somebody as long as that person works at an organization. */
export async function findResource(queries: Queries, id: string): Promise<ResourceRow | undefined> {
  const [row] = await resourcesById(queries, { ids: [id] })
  return row
}

/** The same of several, in no particular order. */
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

const foldersAbove = compiled((db, p: Params<{ id: string }>) =>
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

/** The ids of a folder and of all in which it lies. */
export async function listFoldersAbove(queries: Queries, folder: string): Promise<string[]> {
  return (await foldersAbove(queries, { id: folder })).map(({ id }) => id)
}

const inside = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom(
      sql<{ id: string; level: number }>`(
        with recursive inside(id, level) as (
          select id, 0 from edu_resources where id = ${p('id')}
          union all
          select edu_resources.id, inside.level + 1
            from inside inner join edu_resources on edu_resources.parent_id = inside.id
        )
        select id, level from inside)`.as('inside'),
    )
    .innerJoin('edu_resources', 'edu_resources.id', 'inside.id')
    .selectAll('edu_resources')
    .select('inside.level')
    .orderBy('inside.level')
    .orderBy('edu_resources.id'),
)

/** A resource and everything in it, however deep, the outer before the inner; `level` is how deep below the resource. */
export type InnerRow = EduResourcesTable & { level: number }
export async function listInside(queries: Queries, id: string): Promise<InnerRow[]> {
  return inside(queries, { id })
}

/** Where resources lie. */
export type Place = Pick<EduResourcesTable, 'user_id' | 'organization_id' | 'parent_id' | 'place'>

export async function updatePlace(tx: Transaction, id: string, place: Place, now: number): Promise<void> {
  await tx
    .updateTable('edu_resources')
    .set({ ...place, updated_at: now })
    .where('id', '=', id)
    .execute()
}

const moveInside = compiled(
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
      .where('id', 'in', p.list('ids')),
)

/** Puts resources into the library of a user, where they become private, or of an organization, to which they are open then. */
export async function updateLibrary(
  tx: Transaction,
  ids: readonly string[],
  { user_id, organization_id }: Pick<Place, 'user_id' | 'organization_id'>,
): Promise<void> {
  const privacy = user_id === null ? 'organizationPublic' : 'private'
  await moveInside(tx, { ids, user: user_id, organization: organization_id, privacy })
}

const deleteResourcesById = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.deleteFrom('edu_resources').where('id', 'in', p.list('ids')),
)

/** Deletes resources, of a folder all that lies in it as well, and their assignments. */
export async function deleteResources(
  tx: Transaction,
  rows: readonly Pick<EduResourcesTable, 'id' | 'assignment_id'>[],
): Promise<void> {
  await deleteResourcesById(tx, { ids: rows.map(({ id }) => id) })
  await deleteAssignments(tx, { ids: rows.flatMap(({ assignment_id }) => assignment_id ?? []) })
}

export async function findDemoClassId(queries: Queries, user: string): Promise<string | undefined> {
  const row = await queries.selectFrom('demo_classes').where('user_id', '=', user).select('class_id').executeTakeFirst()
  return row?.class_id
}

export async function replaceDemoClass(tx: Transaction, demo: DemoClassesTable): Promise<void> {
  await tx.deleteFrom('demo_classes').where('user_id', '=', demo.user_id).execute()
  await tx.insertInto('demo_classes').values(demo).execute()
}

/** Of whom, and of the library of which organization. */
export interface Giver {
  user: string
  organization: string
}

/** The resources in the library of an organization that somebody has made. */
export async function listMadeBy(
  tx: Transaction,
  { user, organization }: Giver,
): Promise<Pick<EduResourcesTable, 'id' | 'assignment_id'>[]> {
  return tx
    .selectFrom('edu_resources')
    .where('organization_id', '=', organization)
    .where('creator_id', '=', user)
    .select(['id', 'assignment_id'])
    .execute()
}

/** What somebody has attached there, also to what others have made; `owner_id` is of the score, unless that is in the trash. */
export async function listAttachedBy(tx: Transaction, { user, organization }: Giver) {
  return tx
    .selectFrom('edu_resources')
    .innerJoin('assignment_attachments as attached', 'attached.assignment_id', 'edu_resources.assignment_id')
    .leftJoin('scores', (join) => join.onRef('scores.id', '=', 'attached.score_id').on('scores.trashed', '=', 0))
    .where('edu_resources.organization_id', '=', organization)
    .where('attached.attached_by', '=', user)
    .select(['attached.assignment_id', 'attached.score_id', 'scores.owner_id'])
    .execute()
}

/** Makes another one the creator of resources. */
export async function updateMaker(tx: Transaction, ids: readonly string[], creator_id: string): Promise<void> {
  for (const id of ids) await tx.updateTable('edu_resources').set({ creator_id }).where('id', '=', id).execute()
}

/** Makes all private that is in somebody’s own library. */
export async function closeLibrary(tx: Transaction, user: string): Promise<void> {
  await tx.updateTable('edu_resources').set({ privacy: 'private' }).where('user_id', '=', user).execute()
}

/** The ids of all that is in somebody's own library. */
export async function listLibraryOf(
  tx: Transaction,
  user: string,
): Promise<Pick<EduResourcesTable, 'id' | 'assignment_id'>[]> {
  return tx.selectFrom('edu_resources').where('user_id', '=', user).select(['id', 'assignment_id']).execute()
}

/** Whether a copy of an assignment of a class is in the library of this place, wherever there. */
export async function hasCopyOf(
  queries: Queries,
  assignment: string,
  { user_id, organization_id }: Pick<Place, 'user_id' | 'organization_id'>,
): Promise<boolean> {
  const copies = await queries
    .selectFrom('edu_resources')
    .where('copied_from', '=', assignment)
    .select(['user_id', 'organization_id'])
    .execute()
  return copies.some((copy) => copy.user_id === user_id && copy.organization_id === organization_id)
}

/** Of which edition the shipped library is; 0 where there is none yet. */
export async function findContentVersion(queries: Queries): Promise<number> {
  const { version } = await queries
    .selectFrom('edu_resources')
    .where('place', '=', 'flatEduContent')
    .select((eb) => eb.fn.max('content_version').as('version'))
    .executeTakeFirstOrThrow()
  return version ?? 0
}

/** Puts a resource into the shipped library, or in the place of what it was there. */
export async function saveShipped(tx: Transaction, resource: EduResourcesTable): Promise<void> {
  await tx
    .insertInto('edu_resources')
    .values(resource)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(resource))
    .execute()
}

/** What is in the shipped library of an earlier edition. */
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
