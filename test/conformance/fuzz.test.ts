import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Operation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { type Person, useApp } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { type Client, sessionClient } from '../support/client.ts'
import { signedIn } from '../support/sessions.ts'
import { newCollection } from '../support/collections.ts'
import { newComment } from '../support/comments.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { newFolder, newResource } from '../support/resources.ts'
import { type Known, valuesOf } from '../support/schema-values.ts'
import { makeSchool } from '../support/school.ts'
import { base64, emptyPiano, musicXml } from '../support/scores.ts'
import { newSubmission, storeSubmissionComment } from '../support/submissions.ts'
import { newTrack } from '../support/tracks.ts'

/**
 * The number of cases per operation and their seed. `FUZZ_CASES=1000 npx vitest run test/conformance/fuzz.test.ts
 * --testTimeout 0` runs more and prints the counts of each status at the end. FUZZ_SEED generates other cases.
 */
const numRuns = Number(process.env.FUZZ_CASES ?? 30)
const seed = Number(process.env.FUZZ_SEED ?? 2026)
const statuses = [200, 202, 204, 400, 401, 402, 403, 404, 409, 413]

const ajv = new Ajv({ strict: false })
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addFormat('url', (text: string) => URL.canParse(text))

describeEachDatabase(`generated requests, ${numRuns} cases of seed ${seed}`, (databases) => {
  const app = useApp(databases, { role: 'api', openTasks: '10000' })
  const callers: Client[] = []
  /** The callers of the first school with sessions, in the same order, without the anonymous caller. */
  const bySession: Client[] = []
  const known: Record<string, string[]> = {}
  const statusCounts: Record<string, Record<number, number>> = {}

  afterAll(() => {
    if (!process.env.FUZZ_CASES) return
    const lines = Object.entries(statusCounts).map(([id, counts]) => `${id} ${JSON.stringify(counts)}`)
    process.stdout.write(`${lines.join('\n')}\n`)
  })

  /** Creates a school with a class, scores and submissions, and replaces the callers by its users. */
  async function createSchool(n: number): Promise<void> {
    const { ada, tess, theo, sam, sol, otto } = await makeSchool(app, `.${n}`)
    callers.splice(0, callers.length, tess, tess, tess, ada, sam, otto, app.anonymous)
    const data = musicXml({ parts: ['Flute', 'Violin'] })
    const scores = await Promise.all(
      ['private', 'organizationPublic', 'privateLink'].map((privacy) =>
        tess.post('/scores', { data, privacy }),
      ),
    )
    const foreign = await otto.post('/scores', { ...emptyPiano(), privacy: 'public' })
    const [first] = scores.map(({ body }) => body.id)
    const { body } = await tess.get(`/scores/${first}/revisions/last/json`)
    known.score = [...scores, foreign].map(({ body }) => body.id)
    known.collaborator = [
      (await tess.post(`/scores/${first}/collaborators`, { user: theo.id, aclRead: true })).body.id,
    ]
    known.track = [await newTrack(app, first)]
    known.revision = [
      'last',
      ...[...scores, foreign].map(({ headers }) => headers.get('x-flat-score-revision') ?? ''),
    ]
    // None of the callers, so that all of them keep their rights.
    known.user = ['me', theo.id, sol.id, otto.id]
    const virtual = ['allScores', 'collaborations', 'likes']
    known.collection = ['app', 'root', 'trash', ...virtual, await newCollection(app, tess, 'Mine')]
    known.task = [(await tess.post(`/scores/${first}/revisions/last/wav/task`)).body.id]
    const schoolClass = await tess.post('/classes', { name: 'Winds' })
    for (const { id } of [theo, sam, sol]) await tess.put(`/classes/${schoolClass.body.id}/users/${id}`)
    known.class = [schoolClass.body.id]
    known.classroom = known.class
    const violins = await tess.post('/groups', {
      type: 'classStudentsSubGroup',
      classroom: schoolClass.body.id,
    })
    known.enrollmentCode = [schoolClass.body.enrollmentCode]
    known.sharingKey = [scores[2]?.body.sharingKey, 'f'.repeat(128)]
    known.parts = [body['score-partwise'].part[0].$uuid, 'P1']
    known.data = [
      data,
      base64(data),
      data.slice(0, -20),
      data.replaceAll('1', '999999999999'),
      '{"score-partwise":{}}',
    ]
    known.classGroupIds = [violins.body.id]
    known.assignedStudents = [sam.id, sol.id]
    known.group = ['keyboards', 'strings', violins.body.id, schoolClass.body.studentsGroup.id]
    known.instrument = ['piano', 'violin']
    const set = await Promise.all(
      [
        {},
        { type: 'scoreTemplate', attachments: [{ type: 'flat', score: first, sharingMode: 'copy' }] },
        { state: 'draft' },
      ].map((properties) => newAssignment(tess, schoolClass.body, properties)),
    )
    known.assignment = set.map(({ id }) => id)
    known.submission = await Promise.all(
      set.slice(0, 2).map(async (assignment) => (await newSubmission(sam, schoolClass.body, assignment)).id),
    )
    known.comment = [
      await newComment(app, first),
      await storeSubmissionComment(app, known.submission[1] ?? '', tess),
    ]
    const folder = await newFolder(tess)
    known.resource = [
      'root',
      folder,
      await newResource(tess, 'Waltz', folder),
      await newResource(ada, 'Ländler'),
    ]
    known.parent = known.resource
    known.destination = known.resource
    const invitation = await ada.post('/organizations/invitations', {
      email: 'new@example.com',
      organizationRole: 'teacher',
    })
    known.invitation = [invitation.body.id]
  }

  let schools = 0
  beforeAll(async () => {
    await createSchool(schools++)
    if (databases.dialect !== 'sqlite') return
    for (const person of callers.slice(0, -1)) {
      bySession.push(sessionClient(await signedIn(app, person as Person)))
    }
  })

  it.each(
    Object.values<Operation>(operations).toSorted(
      (a, b) => Number(isDestructive(a)) - Number(isDestructive(b)),
    ),
  )('$id responds as its contract says, and never fails', async (operation) => {
    if (isDestructive(operation)) await createSchool(schools++)
    const counts: Record<number, number> = {}
    statusCounts[operation.id] = counts
    const validate = operation.body && ajv.compile(operation.body)
    await fc.assert(
      fc.asyncProperty(requestsFor(operation, known), async ({ caller, path, body }) => {
        const client = callers[caller % callers.length] as Client
        // The client checks every response against the contract.
        const { status, body: answered } = await client.request(operation.method, path, body)
        counts[status] = (counts[status] ?? 0) + 1
        // Reads come first, so the callers are still those of the first school.
        const session = operation.method === 'GET' ? bySession[caller % callers.length] : undefined
        if (session) {
          const own = await session.request('GET', path)
          expect([own.status, unsigned(own.body)]).toEqual([status, unsigned(answered)])
        }
        expect(statuses).toContain(status)
        if (validate && body !== undefined && !validate(body)) expect(status).toBeGreaterThanOrEqual(400)
      }),
      { numRuns, seed },
    )
  })

  it('leave the server working', async () => {
    const [tess] = callers as [Client]
    expect((await tess.post('/scores', { data: musicXml() })).status).toBe(200)
  })
})

/** Links to files contain the time at which they were signed. */
const unsigned = (body: unknown) => JSON.stringify(body)?.replaceAll(/\/files\/[^"]+/g, '/files/…')

/** Whether an operation removes objects or rights. These operations come last, each with a school of its own. */
const isDestructive = ({ id, method }: Operation): boolean =>
  method === 'DELETE' || /^(archive|unarchive|leave|updateOrganizationUser|returnSubmissions)/.test(id)

interface Request {
  caller: number
  path: string
  body: unknown
}

function requestsFor({ path, params, query, body }: Operation, known: Known): fc.Arbitrary<Request> {
  const segments = params ? valuesOf(params, known, 10) : fc.constant({})
  return fc
    .record({
      caller: fc.nat({ max: 6 }),
      segments: segments as fc.Arbitrary<Record<string, unknown>>,
      query: query ? valuesOf(query, known, 10) : fc.constant({}),
      body: body
        ? fc.oneof(valuesOf(body, known, 0), valuesOf(body, known, 8), valuesOf(body, known, 30))
        : fc.constant(undefined),
    })
    .map(({ caller, segments, query, body }) => ({
      caller,
      body: wellFormed(body),
      path: path.replaceAll(/\{(\w+)\}/g, (_, name) => segmentOf(segments?.[name])) + queryOf(query),
    }))
}

/** Returns a valid path segment: not empty, and not a step to another folder. */
function segmentOf(value: unknown): string {
  const text = escaped(value)
  return text === '' || text === '.' || text === '..' ? '-' : text.slice(0, 2000)
}

function queryOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${escaped(name)}=${escaped(one).slice(0, 2000)}`),
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

const escaped = (value: unknown) =>
  encodeURIComponent((typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed())

/** Returns a body as it is after encoding and decoding as JSON. */
const wellFormed = (body: unknown): unknown =>
  body === undefined ? undefined : JSON.parse(JSON.stringify(body))
