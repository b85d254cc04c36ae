import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { type Person, type TestApp, useApp } from '../support/app.ts'
import { newClass, newSubGroup } from '../support/classes.ts'
import { newCollection } from '../support/collections.ts'
import { newComment } from '../support/comments.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { newResource } from '../support/resources.ts'
import { makeSchool } from '../support/school.ts'
import { emptyPiano, musicXml } from '../support/scores.ts'
import { give } from '../support/sharing.ts'
import { storeSubmission, storeSubmissionComment } from '../support/submissions.ts'
import { newTrack } from '../support/tracks.ts'
import { expectAsForMissing, missing } from './as-missing.ts'
import { idIn } from './world.ts'

/**
 * What one organization has is not there for another one: every operation with an id in its path, asked for by Abel, who
 * administers another school, with ids of this one: in the place of each id of the path, after ids of his own.
 */

/** Something of an organization for each parameter of a path, by its name. */
type Things = Readonly<Record<string, string>>

/** @param keeper whose they are, who teaches */
async function thingsOf(
  app: TestApp,
  organization: string,
  { keeper, admin, student }: { keeper: Person; admin: Person; student: Person },
): Promise<Things> {
  const score = idIn(await keeper.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' }))
  const revision = (await keeper.get(`/scores/${score}/revisions/last`)).body.id
  const collection = await newCollection(app, keeper, 'Ours')
  const klass = await newClass(app, organization, { teachers: [keeper], students: [student] })
  const { enrollment_code } = await app.ctx.db.read
    .selectFrom('classes')
    .where('id', '=', klass.id)
    .select('enrollment_code')
    .executeTakeFirstOrThrow()
  const { assignment, submission } = await storeSubmission(app, klass.id, student)
  return {
    score,
    revision,
    collection,
    class: klass.id,
    enrollmentCode: enrollment_code,
    assignment,
    submission,
    submissionComment: await storeSubmissionComment(app, submission, keeper),
    group: await newSubGroup(keeper, klass, 'Violins', student),
    user: student.id,
    comment: await newComment(app, score),
    track: await newTrack(app, score),
    collaborator: await give(app, { on: 'score', id: score }, { user: student.id }, 1),
    collectionCollaborator: await give(app, { on: 'collection', id: collection }, { user: student.id }, 1),
    task: idIn(await keeper.post(`/scores/${score}/revisions/last/wav/task`)),
    invitation: idIn(await admin.post('/organizations/invitations', {})),
    resource: await newResource(keeper, 'Waltz', 'organization'),
  }
}

/** What an operation is sent where its body needs something. */
const bodies: Readonly<Record<string, object>> = {
  createScoreRevision: { data: musicXml() },
  addScoreCollaborator: { userEmail: 'somebody@example.com' },
  addCollectionCollaborator: { userEmail: 'somebody@example.com' },
  postScoreComment: { comment: 'A' },
  updateScoreComment: { comment: 'A' },
  postSubmissionComment: { comment: 'A' },
  updateSubmissionComment: { comment: 'A' },
  addScoreTrack: { url: 'https://youtu.be/dQw4w9WgXcQ' },
  copyAssignment: { classroom: missing },
  renameGroup: { name: 'Ours' },
  moveEduResource: { destination: 'root' },
  copyEduResource: { destination: 'root' },
  useEduResourceInClass: { classroom: missing },
  addGroupUser: { user: missing },
  createOrganizationUserAccessToken: { scopes: ['scores'] },
}

/** It is said of every collection, whether or not it is there, that it cannot be done. */
const withoutLooking: readonly string[] = ['untrashCollection']

const withIds = Object.values(operations).filter(({ path }) => path.includes('{'))

/** The things that a path names, in its order. */
function thingsIn(path: string): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'format')
  return names.map((name) => {
    if (name === 'collaborator' && names.includes('collection')) return 'collectionCollaborator'
    return name === 'comment' && names.includes('submission') ? 'submissionComment' : name
  })
}

/** The path with these in the place of its parameters. */
function addressWith(path: string, ids: readonly string[]): string {
  const left = [...ids]
  const format = path.endsWith('/task') ? 'wav' : 'xml'
  return path.replace('{format}', format).replace(/\{\w+\}/g, () => left.shift() ?? '')
}

describeEachDatabase('what another organization has', (databases) => {
  // Without a worker: tasks are only asked for here.
  const app = useApp(databases, { role: 'api' })
  let ours: Things
  let abels: Things
  let abel: Person
  let keepers: Person[]

  beforeAll(async () => {
    const people = await makeSchool(app)
    const { tess, ada, sam } = people
    abel = people.abel
    keepers = [tess, ada]
    ours = await thingsOf(app, people.id, { keeper: tess, admin: ada, student: sam })
    const { organization } = (await abel.get('/me')).body
    const student = await app.person('sven', { organization })
    abels = await thingsOf(app, organization, { keeper: abel, admin: abel, student })
  })

  for (const { id, method, path, body } of withIds) {
    const names = thingsIn(path)
    describe(id, () => {
      it.each(names.map((name, index) => [name, index] as const))('%s', async (_name, index) => {
        const own = names.slice(0, index).map((name) => abels[name] ?? '')
        const foreign = names.slice(index).map((name) => ours[name] ?? '')
        const none = foreign.map(() => missing)
        const send = (ids: readonly string[]) =>
          abel.request(method, addressWith(path, [...own, ...ids]), body && (bodies[id] ?? {}))
        const reply = await send(foreign)
        expect(reply.status).toBe(withoutLooking.includes(id) ? 400 : 404)
        expectAsForMissing(reply, await send(none), ...foreign)
      })
    })
  }

  it('is there for its own people all the while', async () => {
    for (const { path } of withIds.filter(({ method }) => method === 'GET')) {
      const address = addressWith(
        path,
        thingsIn(path).map((name) => ours[name] ?? ''),
      )
      const statuses = keepers.map(async (keeper) => (await keeper.get(address)).status)
      expect([address, await Promise.all(statuses)]).toEqual([address, expect.arrayContaining([200])])
    }
  })
})
