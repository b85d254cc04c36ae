import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, type TestApp, useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { emptyPiano, largeMusicXml, musicXml } from '../../../../test/support/scores.ts'
import {
  blobFileNames,
  countedBytes,
  incompressibleXml,
  saveBytes,
  wrongCounts,
} from '../../../../test/support/stored-bytes.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { day, hour } from '../../../lib/durations.ts'
import { eraseAccount } from '../data-rights/erasure.ts'
import { updateOrganization } from '../organizations/store.ts'
import { updateUser } from '../users/store.ts'

const KiB = 1024
const MiB = 1024 * KiB

describeEachDatabase('storage quotas', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { accountStorage: '400KiB' }, { clock })

  it('refuse the writes of one account and of no other', async () => {
    const [wanda, wes] = [await app.person('wanda'), await app.person('wes')]
    const saved: string[] = []
    let reply = await saveBytes(wanda, 100 * KiB)
    while (reply.status === 200) {
      saved.push(reply.body.id)
      reply = await saveBytes(wanda, 100 * KiB)
    }
    expect([reply.status, reply.body.code]).toEqual([402, 'ACCOUNT_STORAGE_EXHAUSTED'])
    expect(reply.body.message).toMatch(
      /^The account uses [\d.]+ KiB of 400 KiB\. The request needs [\d.]+ KiB more\.$/,
    )
    expect(saved.length).toBeGreaterThan(1)
    expect(await countedBytes(app, wanda)).toBeLessThanOrEqual(400 * KiB)
    expect((await saveBytes(wes, 100 * KiB)).status).toBe(200)
    expect((await wanda.get(`/scores/${saved[0]}`)).status).toBe(200)
    const revision = await wanda.post(`/scores/${saved[0]}/revisions`, {
      data: incompressibleXml(200 * KiB, ['G4 G4 G4 G4']),
    })
    expect(revision.body.code).toBe('ACCOUNT_STORAGE_EXHAUSTED')
    expect((await wanda.delete(`/scores/${saved[0]}?now=true`)).status).toBe(204)
    await app.jobsDone()
    expect((await saveBytes(wanda, 100 * KiB)).status).toBe(200)
  })

  it('count each owner of a shared blob, and the owner of a score for the revisions of others', async () => {
    const [uma, ugo] = [await app.person('uma'), await app.person('ugo')]
    const data = incompressibleXml(50 * KiB)
    const { id } = (await uma.post('/scores', { data })).body
    await ugo.post('/scores', { data })
    const bytes = await countedBytes(app, uma)
    expect(bytes).toBeGreaterThan(25 * KiB)
    // The documents have different uuids.
    const ofUgo = await countedBytes(app, ugo)
    expect(ofUgo).toBeGreaterThan(bytes - 100)
    await uma.post(`/scores/${id}/fork`, {})
    expect(await countedBytes(app, uma)).toBe(2 * bytes)
    await uma.post(`/scores/${id}/collaborators`, { user: ugo.id, aclRead: true, aclWrite: true })
    const longer = musicXml({ measures: ['C4 D4 E4 F4', 'C4 C4 C4 C4'] })
    expect((await ugo.post(`/scores/${id}/revisions`, { data: longer })).status).toBe(200)
    expect(await countedBytes(app, ugo)).toBe(ofUgo)
    expect(await countedBytes(app, uma)).toBeGreaterThan(2 * bytes)
  })

  it('let a user save a tenth of the own quota a day in scores of others, so that the owner has room', async () => {
    const [olga, wim, wera] = [await app.person('olga'), await app.person('wim'), await app.person('wera')]
    const { id } = (await olga.post('/scores', emptyPiano())).body
    const second = (await olga.post('/scores', emptyPiano())).body.id
    for (const score of [id, second]) {
      for (const user of [wim.id, wera.id])
        await olga.post(`/scores/${score}/collaborators`, { user, aclRead: true, aclWrite: true })
    }
    let octave = 1
    const save = async (by: Person, score = id) => {
      // Equal notes are no new revision.
      const measures = [`C${++octave} D4 E4 F4`]
      return by.post(`/scores/${score}/revisions`, { data: incompressibleXml(50 * KiB, measures) })
    }
    expect((await save(wim)).status).toBe(200)
    for (const score of [id, second]) {
      const { status, body } = await save(wim, score)
      expect([status, body.code]).toEqual([402, 'ACCOUNT_STORAGE_EXHAUSTED'])
      expect(body.message).toBe('An account can save 40 KiB a day in scores of others. Try again later.')
    }
    expect((await save(wera)).status).toBe(200)
    for (let n = 0; n < 2; n++) expect((await save(olga)).status).toBe(200)
    expect((await saveBytes(wim, 100 * KiB)).status).toBe(200)
    clock.forward(day + hour)
    expect((await save(wim, second)).status).toBe(200)
    expect(await wrongCounts(app)).toEqual([])
  })

  it('count what was deleted in the last two days, which the disk still has', async () => {
    const cleo = await app.person('cleo')
    const saveAndDelete = async () => {
      const { status, body } = await saveBytes(cleo, 200 * KiB)
      if (status !== 200) return body
      await cleo.delete(`/scores/${body.id}?now=true`)
      await app.jobsDone()
      return undefined
    }
    let refused: { code: string; message: string } | undefined
    let rounds = 0
    for (; !refused && rounds < 20; rounds++) refused = await saveAndDelete()
    expect(refused?.code).toBe('ACCOUNT_STORAGE_EXHAUSTED')
    expect(refused?.message).toMatch(/has deleted [\d.]+ KiB, which the disk keeps for two days/)
    expect(rounds).toBeGreaterThan(5)
    clock.forward(2 * day + hour)
    expect((await saveBytes(cleo, 200 * KiB)).status).toBe(200)
  })

  it('forget deletions hour by hour, so that late ones count for two days as well', async () => {
    const nina = await app.person('nina')
    const saveAndDelete = async () => {
      const { status, body } = await saveBytes(nina, 200 * KiB)
      if (status !== 200) return status
      await nina.delete(`/scores/${body.id}?now=true`)
      await app.jobsDone()
      return status
    }
    expect(await saveAndDelete()).toBe(200)
    clock.forward(2 * day - 2 * hour)
    let status = 200
    for (let n = 0; status === 200 && n < 20; n++) status = await saveAndDelete()
    expect(status).toBe(402)
    // Three hours later only the first deletion is forgotten.
    clock.forward(3 * hour)
    const statuses = [await saveAndDelete(), await saveAndDelete()]
    expect(statuses).toEqual([200, 402])
    clock.forward(2 * day + hour)
    expect(await saveAndDelete()).toBe(200)
  })

  it('hold when many requests arrive at once', async () => {
    const max = await app.person('max')
    const replies = await Promise.all(Array.from({ length: 12 }, () => saveBytes(max, 100 * KiB)))
    const statuses = [...new Set(replies.map(({ status }) => status))].sort()
    expect(statuses).toEqual([200, 402])
    expect(await countedBytes(app, max)).toBeLessThanOrEqual(400 * KiB)
  })

  it('leave no file of a refused or unchanged score behind', async () => {
    const noa = await app.person('noa')
    const { id } = (await noa.post('/scores', { data: musicXml() })).body
    const before = await blobFileNames(app)
    expect((await saveBytes(noa, 1000 * KiB)).status).toBe(402)
    const tooLarge = { data: incompressibleXml(1200 * KiB), supportsTasks: true }
    expect((await noa.post('/scores', tooLarge)).body.code).toBe('ACCOUNT_STORAGE_EXHAUSTED')
    const same = await noa.post(`/scores/${id}/revisions`, { data: incompressibleXml(900 * KiB) })
    expect(same.status).toBe(200)
    expect(await blobFileNames(app)).toEqual(before)
  })

  it('can be set for an account, and 0 means unlimited', async () => {
    const [ida, leo] = [await app.person('ida'), await app.person('leo')]
    await app.ctx.transaction((tx) => updateUser(tx, ida.id, { max_storage: 10 }))
    const refused = await ida.post('/scores', emptyPiano())
    expect(refused.body.message).toMatch(/^The account uses 0 B of 10 B\./)
    const track = { url: 'https://example.com/waltz.mp3', synchronizationPoints: [{ type: 'end', time: 1 }] }
    const { id } = (await leo.post('/scores', { data: musicXml() })).body
    await leo.post(`/scores/${id}/collaborators`, { user: ida.id, aclRead: true, aclWrite: true })
    expect((await ida.post(`/scores/${id}/tracks`, track)).body.code).toBe('ACCOUNT_STORAGE_EXHAUSTED')
    await app.ctx.transaction((tx) => updateUser(tx, ida.id, { max_storage: 0 }))
    expect((await saveBytes(ida, 1000 * KiB)).status).toBe(200)
  })

  it('limit an organization, whose members are counted in whole MiB', async () => {
    const [school, other] = [await app.organization('Full'), await app.organization('Other')]
    await app.ctx.transaction((tx) => updateOrganization(tx, school, { max_storage: 2 * MiB }))
    const [una, uwe, uta] = [
      await app.person('una', { organization: school }),
      await app.person('uwe', { organization: school }),
      await app.person('uta', { organization: school }),
    ]
    const outsider = await app.person('oona', { organization: other })
    for (const person of [una, uwe]) expect((await person.post('/scores', emptyPiano())).status).toBe(200)
    const { status, body } = await uta.post('/scores', emptyPiano())
    expect([status, body.code]).toEqual([402, 'ORGANIZATION_STORAGE_EXHAUSTED'])
    expect(body.message).toMatch(
      /^The organization uses 2 MiB of 2 MiB\. The request needs [\d.]+ KiB more\.$/,
    )
    expect((await una.post('/scores', emptyPiano())).status).toBe(200)
    expect((await outsider.post('/scores', emptyPiano())).status).toBe(200)
    expect(await wrongCounts(app)).toEqual([])
  })
})

describeEachDatabase('storage quotas on two servers', (databases) => {
  it('count every write of an organization once, and refuse none that conflicts', async () => {
    await onTwoServers(databases, async ({ app, onOther }) => {
      const organization = await app.organization()
      const names = ['nora', 'nils', 'nele', 'noel']
      const members = await Promise.all(names.map((name) => app.person(name, { organization })))
      const writers = members.flatMap((member) => [member, onOther(member)])
      const saveTwice = async (writer: Pick<Person, 'post'>) => [
        await writer.post('/scores', emptyPiano()),
        await writer.post('/scores', { data: incompressibleXml(MiB) }),
      ]
      const replies = (await Promise.all(writers.map(saveTwice))).flat()
      expect([...new Set(replies.map(({ status }) => status))]).toEqual([200])
      expect(await wrongCounts(app)).toEqual([])
    })
  })
})

describeEachDatabase('the stored bytes of accounts and organizations', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let school: string
  let [admin, teacher, colleague, student, guest]: Person[] = []

  beforeAll(async () => {
    school = await app.organization()
    const member = (name: string, role: 'admin' | 'teacher' | 'user') =>
      app.person(name, { organization: school, role })
    admin = await member('alma', 'admin')
    teacher = await member('tilda', 'teacher')
    colleague = await member('colin', 'teacher')
    student = await member('stan', 'user')
    guest = await app.person('gina')
  })

  const score = async (person: Person, data = musicXml()): Promise<string> =>
    (await person.post('/scores', { data })).body.id

  describe('equal the sum of their rows', () => {
    const expectRight = async () => expect(await wrongCounts(app)).toEqual([])

    it('after scores were created, imported, saved again and copied', async () => {
      const { teacher } = people()
      const id = await score(teacher)
      await teacher.post('/scores', emptyPiano())
      const longer = musicXml({ measures: ['C4 D4 E4 F4', 'G4 G4 G4 G4'] })
      await teacher.post(`/scores/${id}/revisions`, { data: longer })
      await teacher.post(`/scores/${id}/fork`, {})
      const file = { data: largeMusicXml(MiB), supportsTasks: true }
      expect((await teacher.post('/scores', file)).status).toBe(202)
      await expectRight()
      await app.jobsDone()
      await expectRight()
      expect(await countedBytes(app, teacher)).toBeGreaterThan(0)
    })

    it('after an import failed and its file was released', async () => {
      const { teacher } = people()
      const before = await countedBytes(app, teacher)
      const broken = { data: `${incompressibleXml(MiB).slice(0, -20)}`, supportsTasks: true }
      expect((await teacher.post('/scores', broken)).status).toBe(202)
      expect(await countedBytes(app, teacher)).toBeGreaterThan(before)
      await app.jobsDone()
      clock.forward(day)
      await app.jobsDone()
      expect(await countedBytes(app, teacher)).toBe(before)
      await expectRight()
    })

    it('after scores were deleted for good', async () => {
      const { guest } = people()
      const first = await score(guest)
      const ofFirst = await countedBytes(app, guest)
      const second = await score(guest)
      const bytes = await countedBytes(app, guest)
      await guest.delete(`/scores/${first}`)
      expect(await countedBytes(app, guest)).toBe(bytes)
      // Two runs a day apart agree that the score is due.
      for (const days of [31, 1]) {
        clock.forward(days * day)
        await app.jobsDone()
      }
      expect(await countedBytes(app, guest)).toBe(bytes - ofFirst)
      await guest.delete(`/scores/${second}?now=true`)
      await app.jobsDone()
      expect(await countedBytes(app, guest)).toBe(0)
      await expectRight()
    })

    it('after tracks were added, changed, copied, and deleted with their score or without it', async () => {
      const { teacher, colleague } = people()
      const id = await score(teacher)
      await teacher.post(`/scores/${id}/collaborators`, { user: colleague.id, aclRead: true })
      const points = (length: number) => ({
        synchronizationPoints: [{ type: 'end', time: Number('1'.repeat(length)) }],
      })
      const url = 'https://example.com/waltz.mp3'
      const add = async (by: Person, fields: object) =>
        (await by.post(`/scores/${id}/tracks`, { url, ...fields })).body.track.id
      const before = await countedBytes(app, colleague)
      const common = await add(teacher, { ...points(9), default: true, state: 'completed' })
      const performance = await add(colleague, { ...points(9), purpose: 'performanceSubmission' })
      const added = await countedBytes(app, colleague)
      expect(added).toBe(before + JSON.stringify(points(9).synchronizationPoints).length)
      const change = (length: number) => colleague.put(`/scores/${id}/tracks/${performance}`, points(length))
      expect((await change(12)).status).toBe(200)
      expect(await countedBytes(app, colleague)).toBe(added + 3)
      expect((await change(5)).status).toBe(200)
      expect(await countedBytes(app, colleague)).toBe(added - 4)
      expect((await colleague.post(`/scores/${id}/fork`, {})).status).toBe(200)
      await expectRight()
      const copied = await countedBytes(app, colleague)
      expect((await teacher.delete(`/scores/${id}/tracks/${common}`)).status).toBe(204)
      await expectRight()
      expect((await teacher.delete(`/scores/${id}?now=true`)).status).toBe(204)
      await app.jobsDone()
      expect(await countedBytes(app, colleague)).toBe(copied - (added - before - 4))
      await expectRight()
    })

    it('after an app with a logo was registered and deleted', async () => {
      const { teacher } = people()
      const account = internalClient(await signedIn(app, teacher))
      const logo = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1000)])
      const before = await countedBytes(app, teacher)
      const { body } = await account.post('/apps', {
        name: 'Tuner',
        redirectUris: ['https://tuner.example/cb'],
        isPublic: true,
        logo: logo.toString('base64'),
      })
      expect(await countedBytes(app, teacher)).toBe(before + logo.length)
      await expectRight()
      expect((await account.delete(`/apps/${body.id}`)).status).toBe(204)
      expect(await countedBytes(app, teacher)).toBe(before)
    })

    it('after an account joined the organization and left it', async () => {
      const { admin, guest } = people()
      await score(guest)
      const invited = await admin.post('/organizations/invitations', { organizationRole: 'teacher' })
      const browser = await signedIn(app, guest)
      const path = new URL(invited.body.htmlUrl).pathname
      await browser.submit(await browser.open(path), path)
      expect((await guest.get('/me')).body.organization).toBe(school)
      await expectRight()
      expect((await admin.delete(`/organizations/users/${guest.id}?convertToIndividual=true`)).status).toBe(
        204,
      )
      await expectRight()
    })

    it('after a student handed in a copy and was erased, and a teacher with attached scores too', async () => {
      const { teacher, colleague, student } = people()
      const schoolClass = await newClass(app, school, {
        teachers: [colleague, teacher],
        students: [student],
      })
      const template = await score(teacher)
      const attachments = [{ type: 'flat', score: template, sharingMode: 'copy' }]
      const assignment = await newAssignment(teacher, schoolClass, { attachments })
      await newSubmission(student, schoolClass, assignment)
      expect(await countedBytes(app, student)).toBeGreaterThan(0)
      await expectRight()
      const [before, ofColleague] = [await countedBytes(app, teacher), await countedBytes(app, colleague)]
      await eraseAccount(app.ctx, teacher)
      await expectRight()
      expect(await countedBytes(app, colleague)).toBeGreaterThan(ofColleague)
      expect(before).toBeGreaterThan(0)
      await eraseAccount(app.ctx, student)
      await app.jobsDone()
      await expectRight()
      expect(await rowsOf(app, student)).toEqual([])
    })
  })

  it('are changed without a check when a member leaves scores to the owner of a class', async () => {
    const { admin, colleague } = people()
    const leaving = await app.person('lena', { organization: school, role: 'teacher' })
    const schoolClass = await newClass(app, school, { teachers: [colleague, leaving] })
    const attachments = [{ type: 'flat', score: await score(leaving), sharingMode: 'read' }]
    await newAssignment(leaving, schoolClass, { attachments })
    await app.ctx.transaction((tx) => updateUser(tx, colleague.id, { max_storage: 1 }))
    const before = await countedBytes(app, colleague)
    expect((await admin.delete(`/organizations/users/${leaving.id}?convertToIndividual=true`)).status).toBe(
      204,
    )
    expect(await countedBytes(app, colleague)).toBeGreaterThan(before)
    expect((await colleague.post('/scores', emptyPiano())).body.code).toBe('ACCOUNT_STORAGE_EXHAUSTED')
    expect(await wrongCounts(app)).toEqual([])
  })

  function people() {
    if (!admin || !teacher || !colleague || !student || !guest) throw new Error('beforeAll has not run')
    return { admin, teacher, colleague, student, guest }
  }
})

const rowsOf = ({ ctx }: TestApp, { id }: Person) =>
  ctx.db.read.selectFrom('user_storage').selectAll().where('user_id', '=', id).execute()
