import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { largeMusicXml } from '../../../test/support/scores.ts'
import type { JobRun } from '../../jobs/job.ts'
import { importScoreJob } from './import-score.job.ts'

const run: JobRun = { id: '', attempt: 1, signal: new AbortController().signal, report() {} }

describeEachDatabase('import-score', (databases) => {
  // Nobody does the jobs but the test.
  const app = useApp(databases, { role: 'api' })

  it('makes one score of a file, however many runs are at it at once', async () => {
    const otto = await app.person('otto')
    const sent = { data: largeMusicXml(1024 * 1024, 'Once'), supportsTasks: true }
    const task: string = (await otto.post('/scores', sent)).body.id
    const runs = Array.from({ length: 4 }, () => importScoreJob.handle(app.ctx, { task, privacy: 'private' }, run))
    await Promise.all(runs)
    await importScoreJob.handle(app.ctx, { task, privacy: 'private' }, run)

    const scores = (await otto.get('/collections/allScores/scores')).body
    expect(scores.map(({ title }: { title: string }) => title)).toEqual(['Once'])
    expect((await otto.get(`/tasks/${task}`)).body.score).toBe(scores[0].id)
    const revisions = await app.ctx.db.read.selectFrom('score_revisions').select('id').execute()
    expect(revisions).toHaveLength(1)
  })
})
