import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { passDays, testClock } from '../../../../test/support/clock.ts'
import { day, hour, minute } from '../../../lib/durations.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { give, newGroup, addCollectionScore, withoutOwner } from '../../../../test/support/sharing.ts'
import type { JobRun } from '../../../platform/queue/job.ts'
import { deleteScoresJob } from './delete-scores.job.ts'

describeEachDatabase('deleteScore', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { trashDays: '7' }, { clock })
  let people: School
  let tess: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
  })

  const newScore = async (fields = {}): Promise<string> =>
    (await tess.post('/scores', { data: musicXml(), ...fields })).body.id
  const idsIn = async (collection: string): Promise<string[]> =>
    (await tess.get(`/collections/${collection}/scores?limit=100`)).body.map(({ id }: { id: string }) => id)

  it('moves the score to the trash and shows when it will be deleted', async () => {
    const id = await newScore()
    expect((await tess.delete(`/scores/${id}`)).status).toBe(204)
    const { status, body } = await tess.get(`/scores/${id}`)
    expect(status).toBe(200)
    expect(Date.parse(body.scheduledDeletionDate)).toBe(clock.now() + 7 * day)
    expect(await idsIn('trash')).toContain(id)
    expect(await idsIn('app')).not.toContain(id)
    expect(await idsIn('allScores')).not.toContain(id)
  })

  it('changes the modification date of the collections that contain the score, as restoring it does', async () => {
    const id = await newScore({ privacy: 'organizationPublic' })
    const [containing, without] = [
      await newCollection(app, tess, 'With'),
      await newCollection(app, tess, 'Without'),
    ]
    const his = await newCollection(app, people.theo, 'His')
    await tess.put(`/collections/${containing}/scores/${id}`)
    await people.theo.put(`/collections/${his}/scores/${id}`)
    const dates = () =>
      Promise.all(
        [containing, without, his].map(async (collection) => {
          const { body } = await (collection === his ? people.theo : tess).get(`/collections/${collection}`)
          return Date.parse(body.modificationDate)
        }),
      )
    const [, old] = await dates()
    clock.forward(minute)
    expect((await tess.delete(`/scores/${id}`)).status).toBe(204)
    const trashed = clock.now()
    expect(await dates()).toEqual([trashed, old, trashed])
    clock.forward(minute)
    expect((await tess.delete(`/scores/${id}`)).status).toBe(204)
    expect(await dates()).toEqual([trashed, old, trashed])
    expect((await tess.post(`/scores/${id}/untrash`)).status).toBe(204)
    const restored = clock.now()
    expect(await dates()).toEqual([restored, old, restored])
    clock.forward(minute)
    expect((await people.theo.delete(`/scores/${id}`)).status).toBe(204)
    expect(await dates()).toEqual([restored, old, clock.now()])
  })

  it('hides the score from all users with read access', async () => {
    const id = await newScore({ privacy: 'organizationPublic' })
    expect((await people.sam.get(`/scores/${id}`)).status).toBe(200)
    await tess.delete(`/scores/${id}`)
    expect((await people.sam.get(`/scores/${id}`)).status).toBe(404)
  })

  it('deletes the score at the end of its time in the trash, and not before', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    clock.forward(7 * day - minute)
    await app.jobsDone()
    expect((await tess.get(`/scores/${id}`)).status).toBe(200)
    await passDays(app, clock, 1)
    expect((await tess.get(`/scores/${id}`)).status).toBe(404)
    expect(await idsIn('trash')).not.toContain(id)
  })

  it('deletes nothing at once if the clock is far ahead, and nothing at all if it is corrected within a day', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    clock.forward(365 * day)
    await app.jobsDone()
    clock.forward(23 * hour)
    await app.jobsDone()
    expect(
      (await app.ctx.db.read.selectFrom('scores').select('id').where('id', '=', id).execute()).length,
    ).toBe(1)
    clock.forward(-365 * day)
    await app.jobsDone()
    expect((await tess.get(`/scores/${id}`)).status).toBe(200)
  })

  it('does not postpone the deletion when it is called again', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    const { scheduledDeletionDate } = (await tess.get(`/scores/${id}`)).body
    clock.forward(day)
    expect((await tess.delete(`/scores/${id}`)).status).toBe(204)
    expect((await tess.get(`/scores/${id}`)).body.scheduledDeletionDate).toBe(scheduledDeletionDate)
  })

  it('restarts the time in the trash after the score was restored', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    clock.forward(6 * day)
    await tess.post(`/scores/${id}/untrash`)
    await tess.delete(`/scores/${id}`)
    await passDays(app, clock, 2)
    expect((await tess.get(`/scores/${id}`)).status).toBe(200)
    await passDays(app, clock, 4)
    expect((await tess.get(`/scores/${id}`)).status).toBe(404)
  })

  it('keeps a score that was restored from the trash', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    await tess.post(`/scores/${id}/untrash`)
    await passDays(app, clock, 8)
    expect((await tess.get(`/scores/${id}`)).body.scheduledDeletionDate).toBeUndefined()
  })

  describe('now', () => {
    it('deletes the score and its revisions immediately', async () => {
      const id = await newScore()
      expect((await tess.delete(`/scores/${id}?now=true`)).status).toBe(204)
      await app.jobsDone()
      for (const path of ['', '/revisions', '/revisions/last', '/revisions/last/xml']) {
        expect((await tess.get(`/scores/${id}${path}`)).status).toBe(404)
      }
    })

    it('deletes a score that is already in the trash', async () => {
      const id = await newScore()
      await tess.delete(`/scores/${id}`)
      expect((await tess.delete(`/scores/${id}?now=true`)).status).toBe(204)
      expect((await tess.get(`/scores/${id}`)).status).toBe(404)
      expect(await idsIn('trash')).not.toContain(id)
    })

    it('must be a boolean', async () => {
      const id = await newScore()
      const { status, body } = await tess.delete(`/scores/${id}?now=perhaps`)
      expect([status, body.param]).toEqual([400, 'now'])
      expect((await tess.delete(`/scores/${id}?now=false`)).status).toBe(204)
      expect((await tess.get(`/scores/${id}`)).status).toBe(200)
    })
  })

  it('allows administrators; returns 403 to other readers and 404 to users who cannot see the score', async () => {
    const id = await newScore({ privacy: 'organizationPublic' })
    const seen = await people.sam.delete(`/scores/${id}`)
    expect([seen.status, seen.body.code]).toEqual([403, 'SCORE_ACCESS_DENIED'])
    expect((await people.otto.delete(`/scores/${id}`)).status).toBe(404)
    await give(app, { on: 'score', id }, { user: people.theo.id }, 'admin')
    expect((await people.theo.delete(`/scores/${id}`)).status).toBe(204)
    expect(await idsIn('trash')).toContain(id)
  })

  it('shows a score in the trash to its administrators and to no other collaborator', async () => {
    const id = await newScore()
    await give(app, { on: 'score', id }, { user: people.theo.id }, 'admin')
    await give(app, { on: 'score', id }, { user: people.sam.id }, 'write')
    await tess.delete(`/scores/${id}`)
    const { status, body } = await people.theo.get(`/scores/${id}`)
    expect([status, Date.parse(body.scheduledDeletionDate)]).toEqual([200, clock.now() + 7 * day])
    expect((await people.sam.get(`/scores/${id}`)).status).toBe(404)
    expect((await people.sam.delete(`/scores/${id}`)).status).toBe(404)
  })

  describe('by a user who is not an administrator', () => {
    it.each(['read', 'write'] as const)(
      'removes the user’s own grant and no other user’s (level %s)',
      async (level) => {
        const id = await newScore()
        await give(app, { on: 'score', id }, { user: people.sam.id }, level)
        await give(app, { on: 'score', id }, { user: people.sol.id }, 'read')
        expect((await people.sam.delete(`/scores/${id}?now=true`)).status).toBe(204)
        expect((await people.sam.get(`/scores/${id}`)).status).toBe(404)
        const { body } = await tess.get(`/scores/${id}`)
        expect(body.scheduledDeletionDate).toBeUndefined()
        expect(
          withoutOwner<{ user: Person }>(body.collaborators).map(({ user }: { user: Person }) => user.id),
        ).toEqual([people.sol.id])
        expect((await people.sol.get(`/scores/${id}`)).status).toBe(200)
      },
    )

    it('takes the score out of all of the user’s own collections and out of no othis', async () => {
      const id = await newScore({ privacy: 'organizationPublic' })
      const [first, second] = [
        await newCollection(app, people.sam, 'A'),
        await newCollection(app, people.sam, 'B'),
      ]
      const ofTess = await newCollection(app, tess, 'C')
      await addCollectionScore(app, first, id, people.sam)
      await addCollectionScore(app, second, id, tess)
      await addCollectionScore(app, ofTess, id, tess)
      await give(app, { on: 'collection', id: ofTess }, { user: people.sam.id }, 'write')
      expect((await people.sam.delete(`/scores/${id}`)).status).toBe(204)
      for (const collection of [first, second]) {
        expect((await people.sam.get(`/collections/${collection}/scores`)).body).toEqual([])
      }
      expect(await idsIn(ofTess)).toEqual([id])
      // The user's remaining access comes from a collection of another user, which the user cannot give up.
      expect((await people.sam.delete(`/scores/${id}`)).status).toBe(403)
    })

    it('returns 403 if the access comes from a group or from another user’s collection', async () => {
      const id = await newScore()
      await give(
        app,
        { on: 'score', id },
        { group: await newGroup(app, people.id, 'Choir', people.sam) },
        'write',
      )
      const shared = await newCollection(app, tess, 'Shared')
      await addCollectionScore(app, shared, id, tess)
      await give(app, { on: 'collection', id: shared }, { user: people.sol.id }, 'write')
      for (const person of [people.sam, people.sol]) {
        expect((await person.delete(`/scores/${id}`)).body.code).toBe('SCORE_ACCESS_DENIED')
      }
    })
  })
})

describeEachDatabase('deleteScore, before the deletion job has run', (databases) => {
  const app = useApp(databases, { role: 'api' })

  it('with now=true hides the score from all users, lists and counts', async () => {
    const otto = await app.person('otto')
    const { id } = (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body
    await otto.delete(`/scores/${id}?now=true`)
    expect((await otto.get(`/scores/${id}`)).status).toBe(404)
    expect((await otto.post(`/scores/${id}/untrash`)).status).toBe(404)
    expect((await app.anonymous.get(`/users/${otto.id}/scores`)).body).toEqual([])
    for (const collection of ['trash', 'allScores', 'app']) {
      expect((await otto.get(`/collections/${collection}/scores`)).body).toEqual([])
      expect((await otto.get(`/collections/${collection}`)).body.contents.scoresCount).toBe(0)
    }
  })

  it('continues after a score that cannot be deleted, and deletes that score in a later run', async () => {
    const olga = await app.person('olga')
    const scores: string[] = []
    for (let i = 0; i < 2; i++) scores.push((await olga.post('/scores', { data: musicXml() })).body.id)
    for (const id of scores) await olga.delete(`/scores/${id}?now=true`)
    const run: JobRun = { id: '', attempt: 1, signal: new AbortController().signal, report() {} }
    const trashedScores = () =>
      app.ctx.db.read.selectFrom('scores').select('id').where('trashed', '=', 1).execute()
    const broken = vi.spyOn(app.ctx, 'transaction').mockRejectedValueOnce(new Error('The disk is full'))
    await expect(deleteScoresJob.handle(app.ctx, {}, run)).rejects.toThrow('cannot be deleted')
    broken.mockRestore()
    expect(await trashedScores()).toHaveLength(1)
    await deleteScoresJob.handle(app.ctx, {}, run)
    expect(await trashedScores()).toEqual([])
  })
})
