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
import { newRecording, wavOf } from '../support/recordings.ts'
import { expectAsForMissing, missing } from './as-missing.ts'
import { idIn } from './world.ts'

/**
 * Checks that objects of one organization are missing for another. Abel, who administers another school,
 * calls every operation with an id in its path with ids of this organization: one at each position of the
 * path, after ids of his own.
 */

/** The id of an object of an organization for each path parameter. */
type IdsByParameter = Readonly<Record<string, string>>

/**
 * Creates the objects.
 * @param keeper the teacher who owns them
 */
async function createObjects(
  app: TestApp,
  organization: string,
  { keeper, admin, student }: { keeper: Person; admin: Person; student: Person },
): Promise<IdsByParameter> {
  const score = idIn(await keeper.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' }))
  const revision = (await keeper.get(`/scores/${score}/revisions/last`)).body.id
  const collection = await newCollection(app, keeper, 'Ours')
  const schoolClass = await newClass(app, organization, { teachers: [keeper], students: [student] })
  const { enrollment_code } = await app.ctx.db.read
    .selectFrom('classes')
    .where('id', '=', schoolClass.id)
    .select('enrollment_code')
    .executeTakeFirstOrThrow()
  const { assignment, submission } = await storeSubmission(app, schoolClass.id, student)
  return {
    score,
    revision,
    collection,
    class: schoolClass.id,
    enrollmentCode: enrollment_code,
    assignment,
    submission,
    submissionComment: await storeSubmissionComment(app, submission, keeper),
    group: await newSubGroup(keeper, schoolClass, 'Violins', student),
    user: student.id,
    comment: await newComment(app, score),
    track: await newRecording(app, score),
    upload: idIn(await keeper.post('/recordingUploads', { size: wavOf().length })),
    collaborator: await give(app, { on: 'score', id: score }, { user: student.id }, 'read'),
    collectionCollaborator: await give(
      app,
      { on: 'collection', id: collection },
      { user: student.id },
      'read',
    ),
    task: idIn(await keeper.post(`/scores/${score}/revisions/last/wav/task`)),
    invitation: idIn(await admin.post('/organizations/invitations', {})),
    resource: await newResource(keeper, 'Waltz', 'organization'),
  }
}

/** The bodies of operations that need one. */
const bodies: Readonly<Record<string, object>> = {
  createScoreRevision: { data: musicXml() },
  addScoreCollaborator: { userEmail: 'somebody@example.com' },
  addCollectionCollaborator: { userEmail: 'somebody@example.com' },
  postScoreComment: { comment: 'A' },
  updateScoreComment: { comment: 'A' },
  postSubmissionComment: { comment: 'A' },
  updateSubmissionComment: { comment: 'A' },
  addScoreTrack: { url: 'https://youtu.be/dQw4w9WgXcQ' },
  uploadRecordingPart: wavOf(),
  copyAssignment: { classroom: missing },
  renameGroup: { name: 'Ours' },
  moveEduResource: { destination: 'root' },
  copyEduResource: { destination: 'root' },
  useEduResourceInClass: { classroom: missing },
  addGroupUser: { user: missing },
  createOrganizationUserAccessToken: { scopes: ['scores'] },
}

/** Operations that return the same error whether or not the object exists. */
const withoutLookup: readonly string[] = ['untrashCollection']

const withIds = Object.values(operations).filter(({ path }) => parametersOf(path).length > 0)

/** Returns the names of the path parameters that are ids, in their order. */
function parametersOf(path: string): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'format' && name !== 'start')
  return names.map((name) => {
    if (name === 'collaborator' && names.includes('collection')) return 'collectionCollaborator'
    return name === 'comment' && names.includes('submission') ? 'submissionComment' : name
  })
}

/** Replaces the path parameters by these ids. */
function addressWith(path: string, ids: readonly string[]): string {
  const remaining = [...ids]
  const format = path.endsWith('/task') ? 'wav' : 'xml'
  return path
    .replace('{format}', format)
    .replace('{start}', '0')
    .replace(/\{\w+\}/g, () => remaining.shift() ?? '')
}

describeEachDatabase('objects of another organization', (databases) => {
  // Without a worker, because tasks are only enqueued here.
  const app = useApp(databases, { role: 'api' })
  let ids: IdsByParameter
  let ownIds: IdsByParameter
  let abel: Person
  let owners: Person[]

  beforeAll(async () => {
    const people = await makeSchool(app)
    const { tess, ada, sam } = people
    abel = people.abel
    owners = [tess, ada]
    ids = await createObjects(app, people.id, { keeper: tess, admin: ada, student: sam })
    const { organization } = (await abel.get('/me')).body
    const student = await app.person('sven', { organization })
    ownIds = await createObjects(app, organization, { keeper: abel, admin: abel, student })
  })

  for (const { id, method, path, body } of withIds) {
    const names = parametersOf(path)
    describe(id, () => {
      it.each(names.map((name, index) => [name, index] as const))('%s', async (_name, index) => {
        const own = names.slice(0, index).map((name) => ownIds[name] ?? '')
        const foreign = names.slice(index).map((name) => ids[name] ?? '')
        const none = foreign.map(() => missing)
        const send = (ids: readonly string[]) =>
          abel.request(method, addressWith(path, [...own, ...ids]), body && (bodies[id] ?? {}))
        const reply = await send(foreign)
        expect(reply.status).toBe(withoutLookup.includes(id) ? 400 : 404)
        expectAsForMissing(reply, await send(none), ...foreign)
      })
    })
  }

  it('stay available to their own users', async () => {
    for (const { path } of withIds.filter(({ method }) => method === 'GET')) {
      const address = addressWith(
        path,
        parametersOf(path).map((name) => ids[name] ?? ''),
      )
      const statuses = owners.map(async (keeper) => (await keeper.get(address)).status)
      expect([address, await Promise.all(statuses)]).toEqual([address, expect.arrayContaining([200])])
    }
  })
})
