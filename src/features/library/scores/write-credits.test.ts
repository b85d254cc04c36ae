import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'
import { countedBytes, wrongCounts } from '../../../../test/support/stored-bytes.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { Failure } from '../../../errors.ts'
import { minute, second } from '../../../lib/durations.ts'
import { eraseAccount } from '../../people/data-rights/erasure.ts'
import { updateOrganization } from '../../people/organizations/store.ts'

const credits = {
  title: 'After',
  subtitle: 'A subtitle',
  composer: 'B. New',
  lyricist: 'L. Words',
  arranger: 'A. Range',
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)

describeEachDatabase('edited credits', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let wilma: Person

  beforeAll(async () => {
    wilma = await app.person('wilma')
  })

  let editors = 0
  /** Returns a user who may edit a score. */
  async function editorOf(score: string): Promise<Person> {
    editors += 1
    const editor = await app.person(`editor${editors}`)
    await give(app, { on: 'score', id: score }, { user: editor.id }, 'write')
    return editor
  }
  const newScore = async (by = wilma): Promise<string> =>
    (await by.post('/scores', { data: musicXml({ title: 'Before', composer: 'A. Known' }) })).body.id
  const exportOf = async (id: string, format: string, by = wilma) =>
    Buffer.from((await by.get(`/scores/${id}/revisions/last/${format}`)).bytes)
  const xmlOf = async (id: string) => (await exportOf(id, 'xml')).toString()
  const revisionsOf = async (id: string) => (await wilma.get(`/scores/${id}/revisions`)).body
  /** The revisions as they are stored, without writing pending credits. */
  const storedRevisions = (id: string) =>
    app.ctx.db.read.selectFrom('score_revisions').where('score_id', '=', id).select('id').execute()

  it('are in every export at once, and in a new revision with the same notes', async () => {
    const id = await newScore()
    const before = { svg: await exportOf(id, 'svg'), pdf: await exportOf(id, 'pdf') }
    await wilma.put(`/scores/${id}`, credits)
    for (const format of ['xml', 'midi'])
      for (const text of Object.values(credits))
        expect((await exportOf(id, format)).toString()).toContain(text)
    expect(await exportOf(id, 'svg')).not.toEqual(before.svg)
    expect(await exportOf(id, 'pdf')).not.toEqual(before.pdf)
    const again = (await wilma.post('/scores', { data: await xmlOf(id) })).body
    expect(again).toMatchObject(credits)
    await wilma.put(`/scores/${id}`, { lyricist: null })
    expect(await xmlOf(id)).not.toContain(credits.lyricist)
  })

  it('become one revision, with the date and the user of the last edit', async () => {
    const id = await newScore()
    const [first] = await revisionsOf(id)
    const editor = await editorOf(id)
    for (const [field, text] of Object.entries(credits)) {
      clock.forward(second)
      const by = field === 'arranger' ? editor : wilma
      expect((await by.put(`/scores/${id}`, { [field]: text })).status).toBe(200)
    }
    const shown = (await wilma.get(`/scores/${id}`)).body
    expect(await storedRevisions(id)).toHaveLength(1)
    clock.forward(minute)
    const [edited, ...others] = await revisionsOf(id)
    expect(others).toEqual([first])
    expect(edited).toMatchObject({
      user: editor.id,
      date: shown.modificationDate,
      autosave: false,
      statistics: { additions: 0, deletions: 0, startDate: first.date, endDate: shown.modificationDate },
    })
    const xml = await xmlOf(id)
    for (const text of Object.values(credits)) expect(xml).toContain(text)
    expect((await wilma.get(`/scores/${id}`)).body).toEqual(shown)
  })

  it('keep the uuids, and make no revision without a change or for other fields', async () => {
    const id = await newScore()
    const uuidsOf = async () => (await exportOf(id, 'json')).toString().match(/"\$uuid":"[^"]+"/g)
    const uuids = await uuidsOf()
    await wilma.put(`/scores/${id}`, { title: 'Once' })
    expect(await uuidsOf()).toEqual(uuids)
    await wilma.put(`/scores/${id}`, { title: 'Once' })
    await wilma.put(`/scores/${id}`, { description: 'Words', tags: ['slow'], privacy: 'privateLink' })
    expect(await revisionsOf(id)).toHaveLength(2)
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['the list of revisions', revisionsOf],
    ['the last revision', (id) => wilma.get(`/scores/${id}/revisions/last`)],
    ['a file', (id) => exportOf(id, 'json')],
    ['a task', (id) => wilma.post(`/scores/${id}/revisions/last/mp3/task`)],
    ['a copy', (id) => wilma.post(`/scores/${id}/fork`, {})],
    [
      'a new revision',
      (id) => wilma.post(`/scores/${id}/revisions`, { data: musicXml({ measures: ['D4 D4 D4 D4'] }) }),
    ],
  ])('are written before %s is read', async (_name, read) => {
    const id = await newScore()
    await wilma.put(`/scores/${id}`, { title: 'After' })
    const [first, ...others] = await storedRevisions(id)
    expect(others).toEqual([])
    await read(id)
    const added = (await storedRevisions(id)).filter((one) => one.id !== first?.id).sort(byId)[0]
    const { bytes } = await wilma.get(`/scores/${id}/revisions/${added?.id}/xml`)
    expect(Buffer.from(bytes).toString()).toContain('<work-title>After</work-title>')
  })

  it('are in the document of a copy', async () => {
    const id = await newScore()
    await wilma.put(`/scores/${id}`, { composer: 'B. New' })
    const copy = (await wilma.post(`/scores/${id}/fork`, {})).body
    expect(copy.composer).toBe('B. New')
    expect(await revisionsOf(copy.id)).toHaveLength(1)
    expect(await xmlOf(copy.id)).toContain('B. New')
  })

  it('do not change a revision that exists, nor its file in a browser', async () => {
    const id = await newScore()
    const [{ id: first }] = await revisionsOf(id)
    await wilma.put(`/scores/${id}`, { title: 'After' })
    const named = await wilma.get(`/scores/${id}/revisions/${first}/xml`)
    expect(Buffer.from(named.bytes).toString()).toContain('Before')
    expect(named.headers.get('cache-control')).toContain('immutable')
    const last = await wilma.get(`/scores/${id}/revisions/last/xml`)
    expect(last.headers.get('cache-control') ?? '').not.toContain('immutable')
    expect(last.headers.get('etag')).not.toBe(named.headers.get('etag'))
    expect(last.headers.get('x-flat-score-revision')).not.toBe(first)
    const cached = await wilma.get(`/scores/${id}/revisions/last/xml`, {
      headers: { 'If-None-Match': `${named.headers.get('etag')}` },
    })
    expect(cached.status).toBe(200)
  })

  it('are all kept when they change simultaneously, also with reads and a new revision', async () => {
    const id = await newScore()
    const data = musicXml({ measures: ['C4 C4 C4 C4', 'D4 D4 D4 D4'] })
    const { title, ...rest } = credits
    await Promise.all([
      ...Object.entries(rest).flatMap(([field, text]) => [
        wilma.put(`/scores/${id}`, { [field]: text }),
        exportOf(id, 'xml'),
      ]),
      wilma.post(`/scores/${id}/revisions`, { data }),
    ])
    const shown = (await wilma.get(`/scores/${id}`)).body
    expect(shown).toMatchObject({ ...rest, numberMeasures: 2 })
    await Promise.all(
      Object.entries(credits).flatMap(([field, text]) => [
        wilma.put(`/scores/${id}`, { [field]: text }),
        revisionsOf(id),
      ]),
    )
    const xml = await xmlOf(id)
    for (const text of Object.values(credits)) expect(xml).toContain(text)
    expect(xml).toContain('<measure number="2"')
    expect(await wrongCounts(app)).toEqual([])
  })

  it('have a revision of their own before that of a file that is saved after them', async () => {
    const id = await newScore()
    await wilma.put(`/scores/${id}`, { title: 'After' })
    await wilma.post(`/scores/${id}/revisions`, { data: musicXml({ title: 'In the file' }) })
    const titles: string[] = []
    for (const { id: revision } of await revisionsOf(id)) {
      const { bytes } = await wilma.get(`/scores/${id}/revisions/${revision}/xml`)
      titles.push(/<work-title>(.*?)</.exec(Buffer.from(bytes).toString())?.[1] ?? '')
    }
    expect(titles).toEqual(['In the file', 'After', 'Before'])
    expect((await wilma.get(`/scores/${id}`)).body.title).toBe('After')
  })

  it('are written by a job after ten seconds if nothing has read the document', async () => {
    const id = await newScore()
    await wilma.put(`/scores/${id}`, { title: 'After' })
    clock.forward(9 * second)
    await app.jobsDone()
    expect(await storedRevisions(id)).toHaveLength(1)
    clock.forward(second)
    await app.jobsDone()
    expect(await storedRevisions(id)).toHaveLength(2)
    clock.forward(minute)
    await app.jobsDone()
    expect(await revisionsOf(id)).toHaveLength(2)
    // The job does nothing for a score that was deleted.
    await wilma.put(`/scores/${id}`, { title: 'Again' })
    await wilma.delete(`/scores/${id}?now=true`)
    clock.forward(minute)
    await app.jobsDone()
    expect(await storedRevisions(id)).toEqual([])
  })

  it('are written by a job that waits longer for its turn than a request does', async () => {
    const id = await newScore()
    const change = vi.spyOn(app.ctx.notation, 'changeCredits')
    const isPatient = () => change.mock.lastCall?.[2].isPatient?.()
    await wilma.put(`/scores/${id}`, { title: 'After' })
    clock.forward(minute)
    await app.jobsDone()
    expect(isPatient()).toBe(true)
    await wilma.put(`/scores/${id}`, { title: 'Again' })
    await revisionsOf(id)
    expect(isPatient()).toBe(false)
    change.mockRestore()
  })

  it('are given up if the document with them needs too much memory, so that it can still be read', async () => {
    const id = await newScore()
    const tooLarge = new Failure('PAYLOAD_TOO_LARGE', {
      message: 'The score needs more memory than allowed.',
    })
    const change = vi.spyOn(app.ctx.notation, 'changeCredits').mockRejectedValueOnce(tooLarge)
    await wilma.put(`/scores/${id}`, { title: 'After' })
    expect(await xmlOf(id)).toContain('Before')
    expect(await revisionsOf(id)).toHaveLength(1)
    expect((await wilma.get(`/scores/${id}`)).body.title).toBe('After')
    expect(change).toHaveBeenCalledOnce()
    change.mockRestore()
  })

  it('that change while others are written stay pending, with a job of their own', async () => {
    const id = await newScore()
    await wilma.put(`/scores/${id}`, { title: 'One' })
    const { changeCredits } = app.ctx.notation
    const change = vi.spyOn(app.ctx.notation, 'changeCredits').mockImplementationOnce(async (...given) => {
      await wilma.put(`/scores/${id}`, { composer: 'Meanwhile' })
      return changeCredits(...given)
    })
    clock.forward(minute)
    await app.jobsDone()
    change.mockRestore()
    expect(await storedRevisions(id)).toHaveLength(2)
    clock.forward(minute)
    await app.jobsDone()
    expect(await storedRevisions(id)).toHaveLength(3)
    expect(await xmlOf(id)).toMatch(/One[\s\S]*Meanwhile/)
  })

  describe('above the storage quota', () => {
    const fill = (person: Person, bytes = 10 ** 12) =>
      app.ctx.transaction((tx) =>
        tx.updateTable('user_storage').set({ bytes }).where('user_id', '=', person.id).execute(),
      )

    it('are refused and change nothing, while other fields can be edited', async () => {
      const vera = await app.person('vera')
      const id = await newScore(vera)
      const before = await countedBytes(app, vera)
      await vera.put(`/scores/${id}`, { title: 'More' })
      expect(await countedBytes(app, vera)).toBe(before)
      await exportOf(id, 'xml', vera)
      expect(await countedBytes(app, vera)).toBeGreaterThan(before)
      await fill(vera)
      const { status, body } = await vera.put(`/scores/${id}`, { title: 'Too much' })
      expect([status, body.code]).toEqual([402, 'ACCOUNT_STORAGE_EXHAUSTED'])
      expect((await vera.get(`/scores/${id}`)).body.title).toBe('More')
      expect((await vera.put(`/scores/${id}`, { description: 'Fits' })).status).toBe(200)
      const unseen = await wilma.put(`/scores/${id}`, { title: 'Not mine' })
      expect([unseen.status, unseen.body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    })

    it('are written if they were accepted before', async () => {
      const nora = await app.person('nora')
      const id = await newScore(nora)
      await nora.put(`/scores/${id}`, { title: 'Accepted' })
      await fill(nora)
      expect((await exportOf(id, 'xml', nora)).toString()).toContain('Accepted')
      await fill(nora, 0)
    })

    it('are refused if the user has used up the daily share of other users’ storage', async () => {
      const id = await newScore()
      const editor = await editorOf(id)
      await newScore(editor)
      await app.ctx.transaction((tx) =>
        tx
          .updateTable('user_storage')
          .set({ saved_for_others: JSON.stringify([[Math.floor(clock.now() / (60 * minute)), 10 ** 12]]) })
          .where('user_id', '=', editor.id)
          .execute(),
      )
      const { status, body } = await editor.put(`/scores/${id}`, { title: 'Too much' })
      expect([status, body.code]).toEqual([402, 'ACCOUNT_STORAGE_EXHAUSTED'])
      expect((await wilma.put(`/scores/${id}`, { title: 'Mine' })).status).toBe(200)
    })

    it('count as saved for others, also if the user has never stored anything', async () => {
      const id = await newScore()
      const editor = await editorOf(id)
      await editor.put(`/scores/${id}`, { title: 'Edited' })
      const edited = (await revisionsOf(id))[0].id
      const { stored_bytes } = await app.ctx.db.read
        .selectFrom('score_revisions')
        .select('stored_bytes')
        .where('id', '=', edited)
        .executeTakeFirstOrThrow()
      const { saved_for_others } = await app.ctx.db.read
        .selectFrom('user_storage')
        .selectAll()
        .where('user_id', '=', editor.id)
        .executeTakeFirstOrThrow()
      expect(JSON.parse(`${saved_for_others}`)).toEqual([[expect.any(Number), stored_bytes]])
    })

    it('are refused in an organization above its quota, wherever the account is in its MiB', async () => {
      const school = await app.organization('Full')
      const olga = await app.person('olga', { organization: school })
      const id = await newScore(olga)
      await app.ctx.transaction((tx) => updateOrganization(tx, school, { max_storage: 2 ** 20 }))
      expect((await olga.put(`/scores/${id}`, { title: 'Fits' })).status).toBe(200)
      await app.ctx.transaction((tx) => updateOrganization(tx, school, { max_storage: 2 ** 20 - 1 }))
      const { status, body } = await olga.put(`/scores/${id}`, { title: 'Too much' })
      expect([status, body.code]).toEqual([402, 'ORGANIZATION_STORAGE_EXHAUSTED'])
    })
  })

  it('are written although the account that edited them was erased', async () => {
    const id = await newScore()
    const editor = await editorOf(id)
    await editor.put(`/scores/${id}`, { title: 'Left behind' })
    await eraseAccount(app.ctx, editor)
    expect(await xmlOf(id)).toContain('Left behind')
  })
})

describeEachDatabase('edited credits on two servers', (databases) => {
  it('are written once when both read the document', async () => {
    await onTwoServers(databases, async ({ app, vera, atOther }) => {
      const { id } = (await vera.post('/scores', { data: musicXml() })).body
      for (let round = 1; round <= 5; round++) {
        await vera.put(`/scores/${id}`, { title: `Round ${round}` })
        const read = [vera, atOther, vera, atOther].map((client) =>
          client.get(`/scores/${id}/revisions/last/xml`),
        )
        for (const { bytes } of await Promise.all(read))
          expect(Buffer.from(bytes).toString()).toContain(`Round ${round}`)
        expect((await atOther.get(`/scores/${id}/revisions`)).body).toHaveLength(round + 1)
      }
      expect(await wrongCounts(app)).toEqual([])
    })
  })
})
