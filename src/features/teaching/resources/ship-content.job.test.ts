import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, startTestApp, useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import type { Assignment } from '../../../contract/assignments.ts'
import { hasUsers } from '../../people/users/store.ts'
import { readMusicXml } from '../../../music/formats/musicxml/read.ts'
import { factsOf } from '../../../music/model/facts.ts'
import { type Edition, shipContent } from './shipped/ship-content.ts'
import { shippedId } from './shipped/shipped-assignment.ts'
import { readShippedContent } from './shipped/shipped-content.ts'

const { assignments: shippedContent } = readShippedContent()

describeEachDatabase('the library that comes with Partita', (databases) => {
  const app = useApp(databases, { shippedContent: 'true' })
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    await app.jobsDone()
    expect(await hasUsers(app.ctx.db.read)).toBe(false)
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
  }, 60_000)

  const listShipped = async (person: Person) => {
    const { body, headers } = await person.get('/eduResources?parent=flatEduContent&limit=100')
    return { resources: body as unknown as { id: string; title: string; resource: Assignment }[], headers }
  }

  it('fills the library when the server starts, in the order of the edition', async () => {
    const { resources, headers } = await listShipped(people.tess)
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

  it('gives only teachers and administrators read access to its scores', async () => {
    const { resources } = await listShipped(people.tess)
    const score = resources.find(({ resource }) => resource.attachments.length > 0)?.resource.attachments[0]
      ?.score
    const { tess, abel, sam, otto } = people
    const statuses = [tess, abel, sam, otto].map(async (one) => (await one.get(`/scores/${score}`)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404])
    expect((await tess.get(`/scores/${score}`)).body.rights).toMatchObject({
      aclWrite: false,
      isCollaborator: false,
    })
  })

  it('contains only resources that can be used in a class', async () => {
    for (const { key, title, type, scores } of shippedContent) {
      const use = `/eduResources/${shippedId('resource', key)}/useInClass`
      const { status, body } = await people.tess.post(use, { classroom: schoolClass.id })
      expect([key, status]).toEqual([key, 200])
      expect(body).toMatchObject({ title, type, state: 'draft', classroom: schoolClass.id })
      expect(body.attachments.map((one: { title: string }) => one.title)).toEqual(
        scores.map(({ musicXml }) => factsOf(readMusicXml(musicXml)).title),
      )
      for (const { score } of body.attachments) {
        expect((await people.tess.get(`/scores/${score}`)).body.rights.aclAdmin).toBe(true)
      }
    }
  }, 60_000)

  describe('in another edition', () => {
    const [first, second] = shippedContent.filter(({ scores }) => scores.length === 1)
    const musicXml = Buffer.from(
      `<score-partwise><work><work-title>New</work-title></work><part-list><score-part id="P1"><part-name>Claps</part-name></score-part></part-list><part id="P1"><measure number="1"><attributes><divisions>1</divisions></attributes><note><rest/><duration>4</duration></note></measure></part></score-partwise>`,
    )
    const next = (version: number): Edition => ({
      version,
      assignments: [
        {
          ...first,
          title: 'Changed',
          scores: [{ key: 'score', use: 'performance', musicXml }],
        } as Edition['assignments'][0],
        second as Edition['assignments'][0],
      ],
    })

    it('updates changed resources in place, once despite concurrent runs, and leaves copies unchanged', async () => {
      const { tess } = people
      const id = shippedId('resource', first?.key ?? '')
      const copy = (await tess.post(`/eduResources/${id}/copy`, { destination: 'root' })).body
      const before = (await tess.get(`/eduResources/${id}`)).body.resource.attachments[0].score
      await Promise.all([shipContent(app.ctx, next(1001)), shipContent(app.ctx, next(1001))])
      const { resources } = await listShipped(tess)
      expect(resources.map(({ title }) => title)).toEqual(['Changed', second?.title])
      const [changed] = resources
      expect(changed?.resource.attachments).toMatchObject([{ score: before, title: 'New' }])
      expect((await tess.get(`/scores/${before}`)).body).toMatchObject({ title: 'New', numberMeasures: 1 })
      expect((await tess.get(`/scores/${before}/revisions`)).body).toHaveLength(2)
      // An unchanged score gets no new revision.
      expect(
        (await tess.get(`/scores/${resources[1]?.resource.attachments[0]?.score}/revisions`)).body,
      ).toHaveLength(1)
      const copyAfter = (await tess.get(`/eduResources/${copy.id}`)).body
      expect(copyAfter).toEqual(copy)
      expect(
        (await tess.get(`/scores/${copy.resource.attachments[0].score}`)).body.numberMeasures,
      ).toBeGreaterThan(1)
    })

    it('identifies scores by their keys, and deletes unused scores that the edition no longer contains', async () => {
      const { tess } = people
      const [score] = second?.scores ?? []
      const edition = (version: number, scores: unknown[]) =>
        shipContent(app.ctx, {
          version,
          assignments: [{ ...second, scores }] as unknown as Edition['assignments'],
        })
      const attachedScores = async () =>
        (await listShipped(tess)).resources[0]?.resource.attachments.map(({ score = '' }) => score) ?? []
      await edition(1002, [score])
      const [id = ''] = await attachedScores()
      await edition(1003, [{ ...score, key: 'template' }, score])
      const [template = '', still] = await attachedScores()
      expect([still, template === id]).toEqual([id, false])
      expect((await tess.get(`/scores/${id}/revisions`)).body).toHaveLength(1)
      // A teacher attaches the score itself, not a copy, to an assignment.
      await newAssignment(tess, schoolClass, { attachments: [{ score: id }] })
      await edition(1004, [])
      await app.jobsDone()
      const remaining = await app.ctx.db.read
        .selectFrom('scores')
        .select('id')
        .where('id', 'in', [template, id])
        .execute()
      expect(remaining).toEqual([{ id }])
    })

    it('does not change if the stored edition is the same or later', async () => {
      await shipContent(app.ctx, { version: 1003, assignments: [] })
      await shipContent(app.ctx, { version: 1004, assignments: [] })
      expect((await listShipped(people.tess)).resources).toHaveLength(1)
    })
  })

  it('uses a free username, and creates no content while the setting is off', async () => {
    const { app: other, stop } = await startTestApp(await databases.migrated())
    try {
      await other.person('partita')
      await other.jobsDone()
      const tom = await other.person('tom', { organization: await other.organization(), role: 'teacher' })
      expect((await listShipped(tom)).resources).toEqual([])
      await shipContent(other.ctx, { version: 1, assignments: shippedContent.slice(0, 1) })
      expect((await listShipped(tom)).resources).toHaveLength(1)
    } finally {
      await stop()
    }
  })
})
