import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { rejectionOf } from '../../../../test/support/failure.ts'
import { allowPublicScores } from '../../../../test/support/organizations.ts'
import { largeMusicXml } from '../../../../test/support/scores.ts'
import { give, type GrantLevel } from '../../../../test/support/sharing.ts'
import type { JobRun } from '../../../platform/queue/job.ts'
import { importScoreJob } from './import-score.job.ts'

const run: JobRun = { id: '', attempt: 1, signal: new AbortController().signal, report() {} }

describeEachDatabase('import-score', (databases) => {
  // This server has no worker: only the test runs jobs.
  const app = useApp(databases, { role: 'api' })

  it('creates one score for a file when several runs import it simultaneously', async () => {
    const otto = await app.person('otto')
    const sent = { data: largeMusicXml(1024 * 1024, 'Once'), supportsTasks: true }
    const task: string = (await otto.post('/scores', sent)).body.id
    const runs = Array.from({ length: 4 }, () =>
      importScoreJob.handle(app.ctx, { user: otto.id, task, privacy: 'private' }, run),
    )
    await Promise.all(runs)
    await importScoreJob.handle(app.ctx, { user: otto.id, task, privacy: 'private' }, run)

    const scores = (await otto.get('/collections/allScores/scores')).body
    expect(scores.map(({ title }: { title: string }) => title)).toEqual(['Once'])
    expect((await otto.get(`/tasks/${task}`)).body.score).toBe(scores[0].id)
    const revisions = await app.ctx.db.read.selectFrom('score_revisions').select('id').execute()
    expect(revisions).toHaveLength(1)
  })

  it('does not publish a score after the organization has stopped allowing it', async () => {
    const open = await app.organization('Conservatory', true)
    const vera = await app.person('vera', { organization: open })
    const sent = { data: largeMusicXml(1024 * 1024), supportsTasks: true, privacy: 'public' }
    const { status, body } = await vera.post('/scores', sent)
    expect(status).toBe(202)
    await allowPublicScores(app, open, false)
    const refused = await rejectionOf(
      importScoreJob.handle(app.ctx, { user: vera.id, task: body.id, privacy: 'public' }, run),
    )
    expect([refused.code, refused.param]).toEqual(['PUBLIC_SCORES_DISABLED', 'privacy'])
    expect((await vera.get('/collections/allScores/scores')).body).toEqual([])
  })

  it('adds the score to a shared collection only while its owner can write to the collection', async () => {
    const organization = await app.organization('School')
    const tess = await app.person('tess', { organization, role: 'teacher' })
    const theo = await app.person('theo', { organization, role: 'teacher' })
    const collection = await newCollection(app, tess, 'Ours')
    const share = (level: GrantLevel) =>
      give(app, { on: 'collection', id: collection }, { user: theo.id }, level)
    await share('write')
    const task = async (): Promise<string> => {
      const sent = { data: largeMusicXml(1024 * 1024, 'Late'), supportsTasks: true, collection }
      return (await theo.post('/scores', sent)).body.id
    }
    const [first, second] = [await task(), await task()]
    await importScoreJob.handle(app.ctx, { user: theo.id, task: first, privacy: 'private', collection }, run)
    await share('read')
    const refused = await rejectionOf(
      importScoreJob.handle(app.ctx, { user: theo.id, task: second, privacy: 'private', collection }, run),
    )
    expect([refused.code, refused.param]).toEqual(['COLLECTION_ACCESS_DENIED', 'collection'])
    const { body } = await tess.get(`/collections/${collection}/scores`)
    expect(body).toMatchObject([{ title: 'Late', user: { id: theo.id } }])
  })
})
