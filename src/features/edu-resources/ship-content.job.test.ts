import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, startTestApp, useApp } from '../../../test/support/app.ts'
import { newAssignment } from '../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../test/support/classes.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import type { Assignment } from '../../contract/assignments.ts'
import { hasUsers } from '../users/store.ts'
import { type Edition, shipContent } from './shipped/ship-content.ts'
import { shippedId } from './shipped/shipped-assignment.ts'
import { shippedContent } from './shipped/shipped-content.ts'

describeEachDatabase('the library that comes with Partita', (databases) => {
  const app = useApp(databases, { shippedContent: 'true' })
  let people: School
  let klass: TestClass

  beforeAll(async () => {
    await app.jobsDone()
    expect(await hasUsers(app.ctx.db.read)).toBe(false)
    people = await makeSchool(app)
    klass = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
  }, 60_000)

  const shipped = async (person: Person) => {
    const { body, headers } = await person.get('/eduResources?parent=flatEduContent&limit=100')
    return { resources: body as unknown as { id: string; title: string; resource: Assignment }[], headers }
  }

  it('is filled when the server starts, in the order in which it is written down', async () => {
    const { resources, headers } = await shipped(people.tess)
    expect(resources.map(({ title }) => title)).toEqual(shippedContent.map(({ title }) => title))
    expect(headers.get('X-Total-Assignments-Count')).toBe(String(shippedContent.length))
    for (const { resource } of resources) {
      expect(resource.description).toMatch(/\w/)
      expect(resource.teacherInstructions).toMatch(/\w/)
    }
    const none = { canEdit: false, canAddResources: false, canAddFolders: false, canChangePrivacy: false }
    expect(resources[0]).toMatchObject({ privacy: 'public', parent: 'flatEduContent', capabilities: none })
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['PUT', '/assignment'],
    ] as const) {
      const reply = await people.ada.request(method, `/eduResources/${resources[0]?.id}${path}`, {})
      expect(reply.body.code).toBe('RESOURCE_ACCESS_DENIED')
    }
  })

  it('gives its scores to read to who teaches, and to nobody else', async () => {
    const { resources } = await shipped(people.tess)
    const score = resources.find(({ resource }) => resource.attachments.length > 0)?.resource.attachments[0]?.score
    const { tess, abel, sam, otto } = people
    const statuses = [tess, abel, sam, otto].map(async (one) => (await one.get(`/scores/${score}`)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404])
    expect((await tess.get(`/scores/${score}`)).body.rights).toMatchObject({ aclWrite: false, isCollaborator: false })
  })

  it('can be used in class, all of it', async () => {
    for (const { key, title, type, scores = [] } of shippedContent) {
      const use = `/eduResources/${shippedId('resource', key)}/useInClass`
      const { status, body } = await people.tess.post(use, { classroom: klass.id })
      expect([key, status]).toEqual([key, 200])
      expect(body).toMatchObject({ title, type, state: 'draft', classroom: klass.id })
      expect(body.attachments.map((one: { title: string }) => one.title)).toEqual(
        scores.map(({ score }) => score.title),
      )
      for (const { score } of body.attachments) {
        expect((await people.tess.get(`/scores/${score}`)).body.rights.aclAdmin).toBe(true)
      }
    }
  }, 60_000)

  describe('in another edition', () => {
    const [first, second] = shippedContent.filter(({ scores }) => scores?.length === 1)
    const [measure, score] = ['x:4 x x x', first?.scores?.[0]?.score]
    const next = (version: number): Edition => ({
      version,
      assignments: [
        {
          ...first,
          title: 'Changed',
          scores: [
            {
              key: 'score',
              use: 'performance',
              score: { ...score, title: 'New', parts: [{ instrument: 'claps', staves: [measure] }] },
            },
          ],
        } as Edition['assignments'][0],
        second as Edition['assignments'][0],
      ],
    })

    it('is brought up to date where it stands, once where several try at the same time, and copies are not touched', async () => {
      const { tess } = people
      const id = shippedId('resource', first?.key ?? '')
      const copy = (await tess.post(`/eduResources/${id}/copy`, { destination: 'root' })).body
      const before = (await tess.get(`/eduResources/${id}`)).body.resource.attachments[0].score
      await Promise.all([shipContent(app.ctx, next(1001)), shipContent(app.ctx, next(1001))])
      const { resources } = await shipped(tess)
      expect(resources.map(({ title }) => title)).toEqual(['Changed', second?.title])
      const [changed] = resources
      expect(changed?.resource.attachments).toMatchObject([{ score: before, title: 'New' }])
      expect((await tess.get(`/scores/${before}`)).body).toMatchObject({ title: 'New', numberMeasures: 1 })
      expect((await tess.get(`/scores/${before}/revisions`)).body).toHaveLength(2)
      // What has not changed has no further revision.
      expect((await tess.get(`/scores/${resources[1]?.resource.attachments[0]?.score}/revisions`)).body).toHaveLength(1)
      const kept = (await tess.get(`/eduResources/${copy.id}`)).body
      expect(kept).toEqual(copy)
      expect((await tess.get(`/scores/${copy.resource.attachments[0].score}`)).body.numberMeasures).toBeGreaterThan(1)
    })

    it('knows its scores by their keys, wherever they stand, and lets those go that are not there any more', async () => {
      const { tess } = people
      const [kept] = second?.scores ?? []
      const edition = (version: number, scores: unknown[]) =>
        shipContent(app.ctx, { version, assignments: [{ ...second, scores }] as unknown as Edition['assignments'] })
      const attached = async () =>
        (await shipped(tess)).resources[0]?.resource.attachments.map(({ score = '' }) => score) ?? []
      await edition(1002, [kept])
      const [id = ''] = await attached()
      await edition(1003, [{ ...kept, key: 'template' }, kept])
      const [template = '', still] = await attached()
      expect([still, template === id]).toEqual([id, false])
      expect((await tess.get(`/scores/${id}/revisions`)).body).toHaveLength(1)
      // A teacher has taken it into an assignment as it is.
      await newAssignment(tess, klass, { attachments: [{ score: id }] })
      await edition(1004, [])
      await app.jobsDone()
      const left = await app.ctx.db.read.selectFrom('scores').select('id').where('id', 'in', [template, id]).execute()
      expect(left).toEqual([{ id }])
    })

    it('stays as it is where it is of that edition or a later one', async () => {
      await shipContent(app.ctx, { version: 1003, assignments: [] })
      await shipContent(app.ctx, { version: 1004, assignments: [] })
      expect((await shipped(people.tess)).resources).toHaveLength(1)
    })
  })

  it('needs no name that is taken, and none at all where it is not wanted', async () => {
    const { app: other, stop } = await startTestApp(await databases.migrated())
    try {
      await other.person('partita')
      await other.jobsDone()
      const tom = await other.person('tom', { organization: await other.organization(), role: 'teacher' })
      expect((await shipped(tom)).resources).toEqual([])
      await shipContent(other.ctx, { version: 1, assignments: shippedContent.slice(0, 1) })
      expect((await shipped(tom)).resources).toHaveLength(1)
    } finally {
      await stop()
    }
  })
})
