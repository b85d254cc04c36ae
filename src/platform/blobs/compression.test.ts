import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pack, unpack } from './compression.ts'

const measure = '<measure number="1"><note><rest measure="yes"/><duration>4</duration></note></measure>\n'

describe('pack', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['a few bytes', Buffer.from('♭♯')],
    ['a small score', Buffer.from(measure.repeat(60))],
    ['a large score', Buffer.from(measure.repeat(20_000))],
    ['noise', randomBytes(300_000)],
  ])('restores %s', async (_case, bytes) => {
    const packed = await pack(bytes)
    expect(Buffer.from(await unpack(packed, bytes.length)).equals(Buffer.from(bytes))).toBe(true)
  })

  it('makes a score smaller', async () => {
    const bytes = Buffer.from(measure.repeat(20_000))
    const { compression, packed } = await pack(bytes)
    expect(compression).toBe('zstd')
    expect(packed.length).toBeLessThan(bytes.length / 10)
  })

  it('does not compress bytes that would not become smaller', async () => {
    const bytes = randomBytes(300_000)
    expect(await pack(bytes)).toEqual({ compression: 'none', packed: bytes })
  })
})

describe('unpack', () => {
  it.each([['small', 60] as const, ['large', 20_000] as const])(
    'refuses a %s frame that was changed',
    async (_size, times) => {
      const bytes = Buffer.from(measure.repeat(times))
      const { compression, packed } = await pack(bytes)
      const changed = Buffer.from(packed)
      changed[changed.length - 1] = (changed.at(-1) as number) ^ 1
      await expect(unpack({ compression, packed: changed }, bytes.length)).rejects.toThrow()
    },
  )

  it('does not decompress more than the given size', async () => {
    const { compression, packed } = await pack(Buffer.alloc(10_000_000))
    await expect(unpack({ compression, packed }, 1000)).rejects.toThrow()
  })
})
