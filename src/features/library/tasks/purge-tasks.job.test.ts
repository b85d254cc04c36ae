import { expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { day } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { largeMusicXml, musicXml } from '../../../../test/support/scores.ts'
import { purgeTasks } from './purge-tasks.job.ts'

describeEachDatabase('purge-tasks', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  const sourceOf = async (task: string) => {
    const row = await app.ctx.db.read
      .selectFrom('tasks')
      .select('source_blob')
      .where('id', '=', task)
      .executeTakeFirst()
    return row?.source_blob
  }
  const importOf = async (person: Person, data: string): Promise<string> =>
    (await person.post('/scores', { data, supportsTasks: true })).body.id

  it('deletes a task a week after its end, and not before', async () => {
    const otto = await app.person('otto')
    const { id } = (await otto.post('/scores', { data: musicXml() })).body
    const task = (await otto.post(`/scores/${id}/revisions/last/pdf/task`)).body.id
    await app.jobsDone()
    clock.forward(6 * day)
    await app.jobsDone()
    expect((await otto.get(`/tasks/${task}`)).body.state).toBe('done')
    clock.forward(2 * day)
    await app.jobsDone()
    clock.forward(day)
    await app.jobsDone()
    expect((await otto.get(`/tasks/${task}`)).body.code).toBe('TASK_NOT_FOUND')
  })

  it('releases the file of an import that has failed permanently', async () => {
    const olga = await app.person('olga')
    const task = await importOf(olga, largeMusicXml(1024 * 1024).replace('</part>', ''))
    expect(await sourceOf(task)).toEqual(expect.any(String))
    await app.jobsDone()
    clock.forward(day)
    await app.jobsDone()
    expect((await olga.get(`/tasks/${task}`)).body.state).toBe('error')
    expect(await sourceOf(task)).toBeNull()
  })
})

describeEachDatabase('purge-tasks before an import has run', (databases) => {
  const app = useApp(databases, { role: 'api' })

  it('keeps the file', async () => {
    const otto = await app.person('otto')
    const data = largeMusicXml(1024 * 1024)
    const task: string = (await otto.post('/scores', { data, supportsTasks: true })).body.id
    await purgeTasks.handle(
      app.ctx,
      {},
      { id: '', attempt: 1, signal: new AbortController().signal, report() {} },
    )
    const row = await app.ctx.db.read
      .selectFrom('tasks')
      .select('source_blob')
      .where('id', '=', task)
      .executeTakeFirst()
    expect(row?.source_blob).toEqual(expect.any(String))
  })
})

describeEachDatabase('tasks while no worker is running', (databases) => {
  const app = useApp(databases, { role: 'api', openTasks: '5' })

  it('are limited for each user, by a refusal that names the limit', async () => {
    const [otto, olga] = [await app.person('otto'), await app.person('olga')]
    const { id } = (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body
    const path = `/scores/${id}/revisions/last/pdf/task`
    const answers = await Promise.all(Array.from({ length: 12 }, () => otto.post(path)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const { status, body } = await otto.post(path)
    expect([status, body.code]).toEqual([402, 'TOO_MANY_TASKS'])
    expect(body.message).toBe(
      'You have 5 unfinished tasks, the maximum. Try again when some of them are done.',
    )
    const large = await otto.post('/scores', { data: largeMusicXml(1024 * 1024), supportsTasks: true })
    expect(large.body.code).toBe('TOO_MANY_TASKS')
    expect((await olga.post(path)).status).toBe(200)
  })
})
