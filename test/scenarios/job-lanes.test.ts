import { expect, it } from 'vitest'
import { handlers } from '../../src/jobs.ts'
import { minute } from '../../src/lib/durations.ts'
import type { Job } from '../../src/platform/queue/job.ts'
import type { JobKind } from '../../src/platform/queue/kinds.ts'
import { slotsOf } from '../../src/platform/queue/lanes.ts'
import { jobWorker } from '../../src/platform/queue/worker.ts'
import { useApp } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { browserAt } from '../support/browser.ts'
import { newClass } from '../support/classes.ts'
import { testClock } from '../support/clock.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { readable, useMailServer } from '../support/mail-server.ts'
import { makeSchool } from '../support/school.ts'
import { largeMusicXml, musicXml } from '../support/scores.ts'

const mailServer = useMailServer()

describeEachDatabase('while imports and exports do not end', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings({ role: 'api' }), { clock })

  it('mails are sent, scores are deleted and assignments are published', async () => {
    const { ctx } = app
    const { id: school, tess, sam, sol } = await makeSchool(app)
    await app.person('nina', { email: 'nina@example.com' })
    const schoolClass = await newClass(app, school, { teachers: [tess], students: [sam] })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const ended = new Map<string, () => void>()
    const end = (kind: JobKind) => new Promise<void>((resolve) => ended.set(kind, resolve))
    const running: string[] = []
    const observed = ({ handle, ...rest }: Job<never>): Job<never> => ({
      ...rest,
      async handle(...args) {
        running.push(rest.kind)
        if (/^(import|export)-/.test(rest.kind)) return released
        await handle(...args)
        ended.get(rest.kind)?.()
      },
    })
    const worker = jobWorker(
      ctx,
      Object.fromEntries(Object.entries(handlers).map(([kind, job]) => [kind, observed(job as Job<never>)])),
      { slots: slotsOf(1), grace: 0 },
    )

    const { id } = (await tess.post('/scores', { data: musicXml(), privacy: 'organizationPublic' })).body
    for (const person of [tess, sam, sol]) {
      expect((await person.post(`/scores/${id}/revisions/last/wav/task`)).status).toBe(200)
      const large = await person.post('/scores', { data: largeMusicXml(1024 * 1024), supportsTasks: true })
      expect(large.status).toBe(202)
    }
    await worker.poll()
    expect(running.toSorted()).toEqual(['export-score', 'import-score'])

    const ends = [end('send-password-reset'), end('delete-scores'), end('publish-assignment')]
    const browser = browserAt(app.url)
    await browser.submit(await browser.open('/auth/password'), '/auth/password', { username: 'nina' })
    const unwanted = (await tess.post('/scores', { data: musicXml() })).body.id
    await tess.delete(`/scores/${unwanted}?now=true`)
    const scheduledDate = new Date(clock.now() + minute).toISOString()
    const assignment = await newAssignment(tess, schoolClass, { state: 'draft', scheduledDate })
    clock.forward(minute)
    await worker.poll()
    await Promise.all(ends)

    expect(mailServer.mails.map(readable).join()).toContain('nina')
    const scores = await ctx.db.read.selectFrom('scores').select('id').where('id', '=', unwanted).execute()
    expect(scores).toEqual([])
    const published = await sam.get(`/classes/${schoolClass.id}/assignments/${assignment.id}`)
    expect(published.body.state).toBe('active')
    release()
    await worker.idle()
    expect(running.filter((kind) => kind === 'export-score')).toHaveLength(3)
  })
})
