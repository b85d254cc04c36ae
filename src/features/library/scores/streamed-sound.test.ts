import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { tinySoundFont } from '../../../../test/support/sound-font.ts'
import { Failure } from '../../../errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'partita-font-'))
afterAll(() => rm(folder, { recursive: true }))
const path = join(folder, 'sine.sf2')
writeFileSync(path, tinySoundFont())

describeEachDatabase('sound that is not cached', (databases) => {
  const app = useApp(databases, { soundFont: path })
  let vera: Person

  beforeAll(async () => {
    vera = await app.person('vera')
  })

  const newScore = async (measures: number, parts = ['Flute']): Promise<string> => {
    const data = musicXml({ parts, measures: Array.from({ length: measures }, () => 'A4 A4 A4 A4') })
    return (await vera.post('/scores', { data })).body.id
  }
  const addressOf = (score: string, format: string) =>
    `${app.url}/v2/scores/${score}/revisions/last/${format}`
  const request = (score: string, format: string, signal?: AbortSignal) =>
    fetch(addressOf(score, format), {
      headers: { Authorization: `Bearer ${vera.token}` },
      ...(signal && { signal }),
    })

  /** Lets the rendering of the next sound end only when the function that it returns is called. */
  function holdTheEnd(): () => void {
    const { write } = app.ctx.notation
    const gate = Promise.withResolvers<void>()
    vi.spyOn(app.ctx.notation, 'write').mockImplementationOnce(async (...args) => {
      const bytes = await write(...args)
      await gate.promise
      return bytes
    })
    return gate.resolve
  }

  it('is sent before its rendering has ended, to all clients from its beginning, and then kept', async () => {
    const score = await newScore(12)
    const end = holdTheEnd()
    const first = await request(score, 'mp3')
    expect([first.status, first.headers.get('content-length')]).toEqual([200, null])
    const reader = (first.body as ReadableStream<Uint8Array>).getReader()
    const parts = [(await reader.read()).value as Uint8Array]
    expect((parts[0] as Uint8Array).subarray(0, 2)).toEqual(Uint8Array.of(0xff, 0xfb))
    const second = await request(score, 'mp3')
    end()
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
    const bytes = Buffer.concat(parts)
    // 12 measures of 2 s and the tail of 2 s, at 160 kbit/s.
    expect(bytes.length / 20_000).toBeGreaterThan(26)
    expect(bytes.length / 20_000).toBeLessThan(26.2)
    expect(bytes.equals(await second.bytes())).toBe(true)

    const write = vi.spyOn(app.ctx.notation, 'write').mockClear()
    const kept = await request(score, 'mp3')
    expect(bytes.equals(await kept.bytes())).toBe(true)
    expect(kept.headers.get('content-length')).toBe(String(bytes.length))
    const tag = kept.headers.get('etag')
    expect(tag).toMatch(/^".+"$/)
    const known = await fetch(addressOf(score, 'mp3'), {
      headers: { Authorization: `Bearer ${vera.token}`, 'If-None-Match': tag as string },
    })
    expect(known.status).toBe(304)
    expect(write).not.toHaveBeenCalled()
    write.mockRestore()
  })

  it.each(['some parts', 'a score whose cached file is evicted meanwhile'])(
    'of %s is sent completely to a slow client, and holds no memory after its rendering',
    async (what) => {
      const score = await newScore(60, ['Flute', 'Harp'])
      const { body } = await vera.get(`/scores/${score}/revisions/last/json`)
      const [part] = body['score-partwise'].part
      const slow = await request(score, what === 'some parts' ? `wav?parts=${part.$uuid}` : 'wav')
      const reader = (slow.body as ReadableStream<Uint8Array>).getReader()
      let size = (await reader.read()).value?.length ?? 0
      await expect.poll(() => app.ctx.notation.stats().audio.busy, { timeout: 60_000 }).toBe(0)
      const { dataDir } = app.ctx.config
      // The folder exists once a file was copied, and the file in it has no name.
      await expect.poll(() => readdirSync(join(dataDir, 'temporary')), { timeout: 10_000 }).toEqual([])
      await rm(join(dataDir, 'blobs'), { recursive: true, force: true })
      for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length
      // 60 measures of 2 s and the tail of 2 s, in two channels of 16 bits, behind the header.
      expect(size).toBe(44 + 122 * 44_100 * 4)
    },
  )

  it('frees its engine when its only client disconnects after the first bytes', async () => {
    const countKept = async () =>
      (await app.ctx.db.read.selectFrom('score_exports').select('variant').execute()).length
    const score = await newScore(300)
    const keptBefore = await countKept()
    const client = new AbortController()
    const { body } = await request(score, 'mp3', client.signal)
    await (body as ReadableStream<Uint8Array>).getReader().read()
    expect(app.ctx.notation.stats().audio.busy).toBe(1)
    client.abort()
    await expect.poll(() => app.ctx.notation.stats().audio.busy, { timeout: 20_000 }).toBe(0)
    expect(await countKept()).toBe(keptBefore)
  })

  it('is an error in JSON if it fails before the first bytes, and breaks off if it fails later', async () => {
    const score = await newScore(1)
    const failure = () => new Failure('SERVER_BUSY')
    vi.spyOn(app.ctx.notation, 'write').mockRejectedValueOnce(failure())
    const early = await request(score, 'mp3')
    expect([early.status, ((await early.json()) as { code: string }).code]).toEqual([503, 'SERVER_BUSY'])
    const read = Promise.withResolvers<void>()
    vi.spyOn(app.ctx.notation, 'write').mockImplementationOnce(async ({ onPart }) => {
      onPart?.({ offset: 0, bytes: Buffer.from('first') })
      await read.promise
      throw failure()
    })
    const late = await request(score, 'mp3')
    const reader = (late.body as ReadableStream<Uint8Array>).getReader()
    expect(Buffer.from((await reader.read()).value as Uint8Array).toString()).toBe('first')
    read.resolve()
    await expect(reader.read()).rejects.toThrow()
  })

  it('is played with the font of SOUNDFONT, whose hash is in the key of the cache', async () => {
    const score = await newScore(1)
    const wav = Buffer.from(await (await request(score, 'wav')).bytes()).subarray(44)
    const samples = new Int16Array(wav.buffer.slice(wav.byteOffset, wav.byteOffset + 44_100))
    expect(Math.max(...samples)).toBeGreaterThan(10_000)
    const rows = await app.ctx.db.read.selectFrom('score_exports').select('variant').execute()
    expect(rows.map(({ variant }) => variant)).toContainEqual(
      expect.stringContaining(`font=${app.ctx.soundFont.hash}`),
    )
  })
})
