import { beforeAll, expect, it, vi } from 'vitest'
import { type Person, type TestApp, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { blobFileNames } from '../../../../test/support/stored-bytes.ts'
import { hour } from '../../../lib/durations.ts'
import { insertExport } from './export-cache.store.ts'
import { variantOf } from './export-variant.ts'

const cacheBytes = 40 * 1024

type Row = Parameters<typeof insertExport>[1]

/** Returns the cached exports, the least recently used first, and the recorded size of the cache. */
async function cacheOf({ ctx }: TestApp) {
  const rows = await ctx.db.read.selectFrom('score_exports').selectAll().orderBy('used_at').execute()
  const size = await ctx.db.read.selectFrom('export_cache').select('bytes').executeTakeFirst()
  const sum = rows.reduce((total, { stored_bytes }) => total + stored_bytes, 0)
  expect(size?.bytes ?? 0).toBe(sum)
  return { rows, size: sum }
}

const blobCount = async ({ ctx }: TestApp) =>
  (await ctx.db.read.selectFrom('blobs').select('hash').execute()).length

describeEachDatabase('the cache of exports', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { exportCache: `${cacheBytes}` }, { clock })
  let otto: Person

  beforeAll(async () => {
    otto = await app.person('otto')
  })

  const newScore = async (title = 'Trio', length = 20): Promise<string> => {
    const measures = Array.from({ length }, () => 'C4 D4 E4 F4')
    const data = musicXml({ title, parts: ['Flute', 'Viola'], measures })
    return (await otto.post('/scores', { data })).body.id
  }
  /** A score that sounds for four seconds. */
  const newShortScore = (title: string) => newScore(title, 2)
  const exportOf = (score: string, rest: string, by: Pick<Person, 'get'> = otto) =>
    by.get(`/scores/${score}/revisions/last/${rest}`)
  const partsOf = async (score: string): Promise<string[]> =>
    (await exportOf(score, 'json')).body['score-partwise'].part.map(({ $uuid }: { $uuid: string }) => $uuid)

  it('stays within its size, and deletes the blobs that were not used for the longest time', async () => {
    const scores: string[] = []
    for (let n = 0; n < 4; n++) {
      const score = await newScore(`Trio ${n}`)
      scores.push(score)
      clock.forward(hour)
      expect((await exportOf(score, 'pdf')).status).toBe(200)
      expect((await exportOf(score, 'svg')).status).toBe(200)
      expect((await cacheOf(app)).size).toBeLessThanOrEqual(cacheBytes)
    }
    const { rows } = await cacheOf(app)
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.length).toBeLessThan(8)
    const kept = new Set(rows.map(({ blob }) => blob))
    const documents = scores.length * 2
    expect(await blobCount(app)).toBe(documents + kept.size)
    expect((await exportOf(scores[0] ?? '', 'svg')).status).toBe(200)
  })

  it.each(['pdf', 'midi'])(
    'renders a selection of parts once for all who ask for it as %s',
    async (format) => {
      const score = await newScore('Shared')
      const [part] = await partsOf(score)
      const { notation } = app.ctx
      const write = notation.write.bind(notation)
      const asked = Promise.withResolvers<void>()
      const writing = vi.spyOn(notation, 'write').mockImplementation(async (...parameters) => {
        await asked.promise
        return write(...parameters)
      })
      const sharing = vi.spyOn(app.ctx, 'sharedRuns')
      const both = [1, 2].map(() => exportOf(score, `${format}?parts=${part}`))
      await expect.poll(() => sharing.mock.calls.length).toBe(2)
      asked.resolve()
      expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
      expect(writing).toHaveBeenCalledTimes(1)
      for (const spy of [writing, sharing]) spy.mockRestore()
    },
  )

  it('evicts thousands of exports in transactions of a hundred', async () => {
    const score = await newScore('Many')
    await exportOf(score, 'svg')
    const [{ used_at = 0, ...row } = {}] = (await cacheOf(app)).rows
    const stored_bytes = cacheBytes
    await app.ctx.transaction(async (tx) => {
      for (let n = 0; n < 250; n++) {
        const old = { ...(row as Row), variant: `svg?page=${n + 2}`, stored_bytes, used_at: used_at - 1 }
        await insertExport(tx, old, Number.MAX_SAFE_INTEGER)
      }
    })
    const deleting = vi.spyOn(app.ctx.blobs, 'deleteUnused')
    expect((await exportOf(score, 'pdf')).status).toBe(200)
    const evicted = deleting.mock.calls.map(([, blobs]) => blobs.length)
    deleting.mockRestore()
    expect(evicted.slice(0, 2)).toEqual([100, 100])
    expect(Math.max(...evicted)).toBe(100)
    expect((await cacheOf(app)).size).toBeLessThanOrEqual(cacheBytes)
  })

  it('keeps what was used lately, and records a use at most once an hour', async () => {
    const [used, unused] = [await newScore('Used'), await newScore('Unused')]
    for (const score of [used, unused]) await exportOf(score, 'svg')
    const note = vi.spyOn(app.ctx.writeBehind, 'note')
    const uses = () => note.mock.calls.filter(([{ name }]) => name === 'export use').length
    await exportOf(used, 'svg')
    expect(uses()).toBe(0)
    clock.forward(hour)
    await exportOf(used, 'svg')
    expect(uses()).toBe(1)
    await app.ctx.writeBehind.flush()
    await exportOf(used, 'svg')
    expect(uses()).toBe(1)
    note.mockRestore()
    const revisions = async (score: string) => (await otto.get(`/scores/${score}/revisions/last`)).body.id
    const [ofUsed, ofUnused] = [await revisions(used), await revisions(unused)]
    const isCached = async (revision: string) =>
      (await cacheOf(app)).rows.some(({ revision_id }) => revision_id === revision)
    while (await isCached(ofUnused)) {
      expect(await isCached(ofUsed)).toBe(true)
      await exportOf(await newScore('More'), 'pdf')
    }
    expect(await isCached(ofUsed)).toBe(true)
  })

  it('renders an export again whose file is missing, as after a restore', async () => {
    const score = await newScore('Missing')
    const first = await exportOf(score, 'svg')
    const revision = (await otto.get(`/scores/${score}/revisions/last`)).body.id
    const { blob } = await app.ctx.db.read
      .selectFrom('score_exports')
      .select('blob')
      .where('revision_id', '=', revision)
      .executeTakeFirstOrThrow()
    await app.ctx.transaction((tx) => tx.deleteFrom('blobs').where('hash', '=', blob).execute())
    const again = await exportOf(score, 'svg')
    expect([again.status, again.bytes]).toEqual([200, first.bytes])
    await cacheOf(app)
  })

  it('answers 404 at the address of an evicted file, and a task without an address', async () => {
    const score = await newScore('Evicted')
    const { url } = (await exportOf(score, 'svg?url=true')).body
    const task = (await otto.post(`/scores/${score}/revisions/last/pdf/task`)).body.id
    await app.jobsDone()
    expect((await otto.get(`/tasks/${task}`)).body.result.url).toEqual(expect.any(String))
    expect((await fetch(url)).status).toBe(200)
    for (let n = 0; n < 6; n++) {
      const other = await newScore(`Other ${n}`)
      await exportOf(other, 'pdf')
      await exportOf(other, 'svg')
    }
    expect((await fetch(url)).status).toBe(404)
    const { body } = await otto.get(`/tasks/${task}`)
    expect([body.state, body.result]).toEqual(['done', undefined])
  })

  it('deletes the exports of a score with the score, at once', async () => {
    const score = await newShortScore('Deleted')
    await exportOf(score, 'wav')
    expect(await blobFileNames(app)).not.toEqual([])
    await otto.delete(`/scores/${score}?now=true`)
    await app.jobsDone()
    await cacheOf(app)
    await expect.poll(() => blobFileNames(app)).toEqual([])
  })

  it('does not contain files of some of the parts, unless they need an address', async () => {
    const score = await newShortScore('Parts')
    const parts = await partsOf(score)
    const before = [await blobCount(app), (await cacheOf(app)).rows.length]
    for (const rest of ['pdf', 'svg', 'mp3', 'thumbnail.png'])
      expect((await exportOf(score, `${rest}?parts=${parts[0]}`)).status).toBe(200)
    expect([await blobCount(app), (await cacheOf(app)).rows.length]).toEqual(before)
    const { url } = (await exportOf(score, `svg?url=true&parts=${parts[0]}`)).body
    const linked = new Uint8Array(await (await fetch(url)).arrayBuffer())
    expect((await exportOf(score, `svg?parts=${parts[0]}`)).bytes).toEqual(linked)
    await exportOf(score, `svg?parts=${parts.join()}`)
    const variants = (await cacheOf(app)).rows.map(({ variant }) => variant)
    expect(variants).toContain(variantOf(app.ctx, { format: 'svg' }))
  })

  it('gives anonymous clients no large sound', async () => {
    const score = await newShortScore('Public')
    await otto.put(`/scores/${score}`, { privacy: 'public' })
    const refusal = async (rest: string) => {
      const { status, body } = await exportOf(score, rest, app.anonymous)
      return [status, body?.code]
    }
    const refused = [401, 'EXPORT_NEEDS_ACCOUNT']
    expect(await refusal('wav')).toEqual(refused)
    await exportOf(score, 'wav')
    expect(await refusal('wav')).toEqual(refused)
    const [part] = await partsOf(score)
    expect(await refusal(`svg?url=true&parts=${part}`)).toEqual(refused)
    expect((await exportOf(score, `svg?parts=${part}`, app.anonymous)).status).toBe(200)
    expect((await exportOf(score, 'mp3', app.anonymous)).status).toBe(200)

    const long = musicXml({ measures: Array.from({ length: 160 }, () => 'C4 D4 E4 F4') })
    expect((await otto.post(`/scores/${score}/revisions`, { data: long })).status).toBe(200)
    expect(await refusal('mp3')).toEqual(refused)
  })
})
