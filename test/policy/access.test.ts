import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { ResourceRights } from '../../src/contract/sharing.ts'
import type { Database, Queries } from '../../src/platform/db/database.ts'
import { Failure } from '../../src/errors.ts'
import { accessOfRank } from '../../src/features/library/sharing/access.ts'
import { listScores } from '../../src/features/library/scores/lists.store.ts'
import { canRead, loadScore, rightsOn } from '../../src/features/library/scores/policy.ts'
import { listOwners, type OwnerRow } from '../../src/features/library/scores/store.ts'
import type { Actor, Viewer } from '../../src/actor.ts'
import { describeEachDatabase } from '../support/databases.ts'
import {
  type Graph,
  sentKey,
  graphs,
  people,
  type StoredGraph,
  storeGraph,
  storePeople,
} from './access-graphs.ts'
import { modelRights, type ModelUser } from './access-model.ts'

/**
 * The number of random graphs and their seed. `ACCESS_GRAPHS=1000 npx vitest run test/policy/access.test.ts`
 * runs more; ACCESS_SEED generates other graphs.
 */
const numRuns = Number(process.env.ACCESS_GRAPHS ?? 12)
const seed = Number(process.env.ACCESS_SEED ?? 2026)

/** The rights of a viewer on a score; undefined if the viewer cannot see it. */
interface Verdict {
  viewer: string
  score: number
  rights: ResourceRights | undefined
  /** With a sharing key, which may or may not be that of the score. */
  byKey: ResourceRights | undefined
  /** In a list, which excludes the trash. */
  listed: ResourceRights | undefined
}

/** The anonymous viewer and all users. */
const viewers: readonly (ModelUser | undefined)[] = [undefined, ...people]
const nameOf = (viewer: ModelUser | undefined) => viewer?.name ?? 'nobody'

function byModel({ scores }: Graph): Verdict[] {
  const readable = (rights: ResourceRights) => (rights.aclRead ? rights : undefined)
  return viewers.flatMap((viewer) =>
    scores.map((score, index) => {
      const rights = readable(modelRights(viewer, score))
      const byKey = readable(modelRights(viewer, score, sentKey))
      return {
        viewer: nameOf(viewer),
        score: index,
        rights,
        byKey,
        listed: score.state === 'kept' ? rights : undefined,
      }
    }),
  )
}

async function byServer(
  { read }: Database,
  ids: ReadonlyMap<string, string>,
  { scores, everything }: StoredGraph,
): Promise<Verdict[]> {
  const verdicts = viewers.map(async (user) => {
    const viewer = user && actorOf(user, ids)
    const listed = await listedRights(read, viewer, everything)
    return Promise.all(
      scores.map(async (id, score) => ({
        viewer: nameOf(user),
        score,
        rights: await rightsOf(read, viewer, id),
        byKey: await rightsOf(read, viewer, id, sentKey),
        listed: listed.get(id),
      })),
    )
  })
  return (await Promise.all(verdicts)).flat()
}

const actorOf = ({ name, organization }: ModelUser, ids: ReadonlyMap<string, string>) =>
  ({ id: ids.get(name), organization: organization && ids.get(organization.name) }) as Actor

async function rightsOf(
  queries: Queries,
  viewer: Viewer,
  id: string,
  sharingKey?: string,
): Promise<ResourceRights | undefined> {
  try {
    return (await loadScore(queries, viewer, id, canRead, sharingKey)).rights
  } catch (error) {
    if (error instanceof Failure && error.code === 'SCORE_NOT_FOUND') return undefined
    throw error
  }
}

/** Returns the scores that a list of this collection shows to the viewer, with the rights on each. */
async function listedRights(
  queries: Queries,
  viewer: Viewer,
  collection: string,
): Promise<ReadonlyMap<string, ResourceRights>> {
  const request = { sort: 'title', direction: 'asc', limit: 100 } as const
  // With the viewer as owner, the list first tries whether all scores are scores of the viewer.
  const owner = viewer && (await listOwners(queries, [viewer.id])).get(viewer.id)
  const list = { in: 'collection', collection, ...(owner && { owner }) } as const
  const { rows, owners } = await listScores(queries, viewer, list, request)
  return new Map(
    rows.map((row) => [
      row.id,
      rightsOn(row, owners.get(row.owner_id) as OwnerRow, viewer, accessOfRank(row.access)),
    ]),
  )
}

function outcome({ aclWrite, aclAdmin, isCollaborator, collaboratorType }: ResourceRights): string {
  const role = collaboratorType ?? (isCollaborator ? 'collection' : 'another user')
  return `${role}: ${aclAdmin ? 'administer' : aclWrite ? 'write' : 'read'}`
}

describeEachDatabase(`rights on scores, ${numRuns} graphs of seed ${seed}`, (databases) => {
  let db: Database
  let ids: ReadonlyMap<string, string>

  beforeAll(async () => {
    db = await databases.open()
    ids = await storePeople(db)
  })

  const timeout = 20_000 + numRuns * 2000
  it('match the model for a single score and in a list', { timeout }, async () => {
    const met = new Set<string>()
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const expected = byModel(graph)
        expect(await byServer(db, ids, await storeGraph(db, ids, graph))).toEqual(expected)
        for (const { rights } of expected) met.add(rights ? outcome(rights) : 'nothing')
      }),
      { numRuns, seed },
    )
    const byWay = ['user', 'group', 'collection'].flatMap((way) => [`${way}: read`, `${way}: write`])
    const all = [
      'nothing',
      'another user: read',
      ...byWay,
      'user: administer',
      'group: administer',
      'owner: administer',
    ]
    expect([...met].sort()).toEqual(all.sort())
  })
})
