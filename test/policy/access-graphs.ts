import fc from 'fast-check'
import type { ScorePrivacy } from '../../src/contract/scores.ts'
import type { Database, Transaction } from '../../src/platform/db/database.ts'
import { insertNewAssignment } from '../../src/features/teaching/assignments/new-assignment.ts'
import { replaceAttachments } from '../../src/features/teaching/assignments/attachments.store.ts'
import { newResource } from '../../src/features/teaching/resources/new-resource.ts'
import { shippedLibrary } from '../../src/features/teaching/resources/policy.ts'
import { insertResource } from '../../src/features/teaching/resources/store.ts'
import { newOrganization } from '../../src/features/people/organizations/store.ts'
import type { ScoresTable } from '../../src/platform/db/score-tables.ts'
import type { AccessLevel, GrantsTable } from '../../src/platform/db/tables.ts'
import { idGenerator } from '../../src/lib/ids.ts'
import { storedScore } from '../support/stored-scores.ts'
import type {
  ModelGrant,
  Group,
  ModelCollection,
  ModelResource,
  ModelScore,
  ModelUser,
} from './access-model.ts'

/** Generates users and all kinds of relations between them, and stores them as rows of the database. */

const school = { name: 'school', isOpen: false }
const conservatory = { name: 'conservatory', isOpen: true }
const students = ['sam', 'viola']
const usersOf = (organization: ModelUser['organization'], ...names: string[]): ModelUser[] =>
  names.map((name) => ({ name, organization, isStudent: students.includes(name) }))

export const people: readonly ModelUser[] = [
  ...usersOf(school, 'tess', 'theo', 'sam'),
  ...usersOf(conservatory, 'vera', 'vito', 'viola'),
  ...usersOf(undefined, 'otto', 'olga', 'oskar'),
]

export interface Graph {
  groups: readonly Group[]
  collections: readonly ModelCollection[]
  resources: readonly ModelResource[]
  scores: readonly ModelScore[]
}

const person = fc.constantFrom(...people)
const keys = ['a'.repeat(128), 'b'.repeat(128)] as const
/** The sharing key that viewers send. */
export const [sentKey] = keys
const groupCount = 4
const collectionCount = 5
const resourceCount = 5

/** Generates a few of many possible grants, with at most one grant of a holder per object. */
function arbitraryGrants(groups: readonly Group[]): fc.Arbitrary<ModelGrant[]> {
  const grantOf = fc.record({
    to: fc.constantFrom(...people, ...groups),
    level: fc.constantFrom<AccessLevel[]>(1, 2, 3),
  })
  return fc.uniqueArray(grantOf, { selector: ({ to }) => to, maxLength: 3 })
}

export const graphs: fc.Arbitrary<Graph> = fc
  .array(fc.subarray([...people], { maxLength: 4 }), { minLength: groupCount, maxLength: groupCount })
  .map((members) => members.map((one) => new Set(one)))
  .chain((groups) => {
    const collection = fc.record({
      owner: person,
      isInTrash: fc.constantFrom(false, false, false, true),
      grants: arbitraryGrants(groups),
    })
    const resource = fc.record({
      library: fc.constantFrom<ModelResource['library'][]>(...people, school, conservatory, 'shipped'),
      privacy: fc.constantFrom<ModelResource['privacy'][]>('private', 'organizationPublic', 'public'),
    })
    return fc.record({
      groups: fc.constant(groups),
      collections: fc.array(collection, { minLength: collectionCount, maxLength: collectionCount }),
      resources: fc.array(resource, { minLength: resourceCount, maxLength: resourceCount }),
    })
  })
  .chain(({ groups, collections, resources }) => {
    const score = person.chain((owner) => {
      const place = fc.record({
        collection: fc.constantFrom(...collections),
        addedBy: fc.oneof(fc.constant(owner), person),
        byKey: fc.constantFrom(undefined, ...keys),
      })
      const attached = fc.record({
        to: fc.constantFrom(...resources),
        by: fc.oneof(fc.constant(owner), person),
      })
      return fc.record({
        owner: fc.constant(owner),
        privacy: fc.constantFrom<ScorePrivacy[]>(
          'private',
          'private',
          'public',
          'organizationPublic',
          'privateLink',
        ),
        sharingKey: fc.constantFrom(...keys),
        state: fc.constantFrom<ModelScore['state'][]>('kept', 'kept', 'kept', 'trashed', 'gone'),
        grants: arbitraryGrants(groups),
        places: fc.uniqueArray(place, { selector: ({ collection }) => collection, maxLength: 2 }),
        attached: fc.array(attached, { maxLength: 1 }),
      })
    })
    return fc
      .array(score, { minLength: 20, maxLength: 20 })
      .map((scores) => ({ groups, collections, resources, scores }))
  })

const newId = idGenerator({ now: () => Date.now() })
const now = Date.now()

/** Stores the users and organizations. Returns their ids by name. */
export async function storePeople(db: Database): Promise<ReadonlyMap<string, string>> {
  const ids = new Map([...people, school, conservatory, keeper].map(({ name }) => [name, newId()]))
  const idOf = (name: string) => ids.get(name) as string
  await db.transaction(async (tx) => {
    for (const { name, isOpen } of [school, conservatory]) {
      const row = { ...newOrganization(idOf(name), name, now), allows_public_scores: isOpen ? 1 : 0 } as const
      await tx.insertInto('organizations').values(row).execute()
    }
    for (const { name, organization, isStudent } of [...people, keeper]) {
      await tx
        .insertInto('users')
        .values({
          id: idOf(name),
          username: name,
          username_key: name,
          password_hash: '',
          password_origin: 'own',
          email: null,
          email_key: null,
          email_verified: 0,
          email_vouched: 0,
          firstname: null,
          lastname: null,
          organization_id: organization ? idOf(organization.name) : null,
          organization_role: organization ? (isStudent ? 'user' : 'teacher') : null,
          locale: 'en',
          is_private: 0,
          created_at: now,
          name_key: name,
          search_key: name,
          last_activity_at: 0,
          is_test_student: 0,
        })
        .execute()
    }
  })
  return ids
}

/** Owns no score, and has a collection of all scores. */
const keeper: ModelUser = { name: 'keeper', organization: undefined, isStudent: false }

/**
 * The ids of the scores of a graph in its order, and a collection that contains all of them and is not
 * shared.
 */
export interface StoredGraph {
  scores: readonly string[]
  everything: string
}

export async function storeGraph(
  db: Database,
  ids: ReadonlyMap<string, string>,
  graph: Graph,
): Promise<StoredGraph> {
  const idOf = ({ name }: { name: string }) => ids.get(name) as string
  const groups = new Map(graph.groups.map((group) => [group, newId()]))
  const all: ModelCollection = { owner: keeper, isInTrash: false, grants: [] }
  const collections = new Map([...graph.collections, all].map((collection) => [collection, newId()]))
  const scores = graph.scores.map((score) => ({ score, id: newId() }))

  const grants: GrantsTable[] = []
  function give(on: Pick<GrantsTable, 'score_id' | 'collection_id'>, entries: readonly ModelGrant[]) {
    for (const { to, level } of entries) {
      const holder =
        'name' in to
          ? { user_id: idOf(to), group_id: null }
          : { user_id: null, group_id: groups.get(to) ?? '' }
      const common = {
        id: newId(),
        email: null,
        email_key: null,
        token_hash: null,
        assignment_id: null,
        submission_id: null,
        created_by: idOf(keeper),
        created_at: now,
      }
      grants.push({ ...common, ...on, ...holder, level })
    }
  }
  for (const [{ grants: entries }, id] of collections) give({ score_id: null, collection_id: id }, entries)
  for (const { score, id } of scores) give({ score_id: id, collection_id: null }, score.grants)

  const places = scores.flatMap(({ score, id }) =>
    [...score.places, { collection: all, addedBy: keeper, byKey: undefined }].map((place) => ({
      collection_id: collections.get(place.collection) as string,
      score_id: id,
      trashed: score.state === 'kept' ? (0 as const) : (1 as const),
      title_key: '',
      composer_key: '',
      duration: 0,
      created_at: now,
      modified_at: now,
      added_by: idOf(place.addedBy),
      sharing_key: place.byKey ?? null,
    })),
  )

  await db.transaction(async (tx) => {
    for (const [members, id] of groups) {
      const group = {
        id,
        organization_id: idOf(school),
        type: 'generic',
        name: '',
        name_key: '',
        tags: '[]',
        created_at: now,
      } as const
      await tx.insertInto('groups').values(group).execute()
      for (const member of members) {
        await tx
          .insertInto('group_members')
          .values({ group_id: id, user_id: idOf(member), created_at: now })
          .execute()
      }
    }
    for (const [{ owner, isInTrash }, id] of collections) {
      await tx
        .insertInto('collections')
        .values({
          id,
          user_id: idOf(owner),
          type: 'regular',
          app: null,
          title: '',
          title_key: '',
          created_at: now,
          modified_at: now,
          grants: 0,
          is_pinned: 0,
          deletion_at: isInTrash ? now : null,
        })
        .execute()
    }
    await tx
      .insertInto('scores')
      .values(scores.map(({ score, id }) => scoreRow(score, id, idOf(score.owner))))
      .execute()
    if (grants.length > 0) await tx.insertInto('grants').values(grants).execute()
    await tx.insertInto('collection_scores').values(places).execute()
    await storeResources(tx, idOf, graph, scores)
  })
  return { scores: scores.map(({ id }) => id), everything: collections.get(all) as string }
}

function scoreRow({ privacy, sharingKey, state }: ModelScore, id: string, owner: string): ScoresTable {
  return {
    ...storedScore(id, owner, id),
    privacy,
    // The key stays when link sharing is disabled, so that the same link works when it is enabled again.
    sharing_key: sharingKey,
    created_at: now,
    modified_at: now,
    trashed: state === 'kept' ? 0 : 1,
    deletion_at: { kept: null, trashed: now, gone: 0 }[state],
  }
}

/** Stores the resources of libraries, each as an assignment with its attached scores. */
async function storeResources(
  tx: Transaction,
  idOf: (named: { name: string }) => string,
  { resources }: Graph,
  scores: readonly { score: ModelScore; id: string }[],
): Promise<void> {
  for (const resource of resources) {
    const { library, privacy } = resource
    const [owner, organization] =
      library === 'shipped'
        ? [null, null]
        : 'isOpen' in library
          ? [null, idOf(library)]
          : [idOf(library), null]
    const ctx = { newId, clock: { now: () => now } }
    const assignment = await insertNewAssignment(ctx, tx, { title: '', creator: idOf(keeper), class: null })
    const place = { user_id: owner, organization_id: organization, parent_id: null }
    const content = { type: 'assignment', title: '', assignment_id: assignment.id } as const
    const row = newResource(
      ctx,
      idOf(keeper),
      { ...place, place: owner ?? organization ?? shippedLibrary },
      content,
    )
    await insertResource(tx, { ...row, privacy })
    const attached = scores.flatMap(({ score, id }) =>
      score.attached.filter(({ to }) => to === resource).map(({ by }) => ({ id, by })),
    )
    await replaceAttachments(
      tx,
      assignment.id,
      attached.map(({ id, by }) => ({
        type: 'flat',
        score_id: id,
        revision_id: null,
        part_uuid: null,
        sharing_mode: 'read',
        lock_score_template: 0,
        worksheet: null,
        url: null,
        google_drive_file_id: null,
        teacher_only: 0,
        attached_by: idOf(by),
        is_copy: 0,
      })),
    )
  }
}
