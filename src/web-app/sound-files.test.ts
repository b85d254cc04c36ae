import { SoundBankLoader } from 'spessasynth_core'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../test/support/app.ts'
import { usingDatabases } from '../../test/support/databases.ts'

describe('the sounds of the player', () => {
  const app = useApp(usingDatabases('sqlite'))
  const get = (name: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/sounds/${name}`, { headers })
  const bankOf = async (name: string) =>
    SoundBankLoader.fromArrayBuffer(await (await get(name)).arrayBuffer())

  it.each([
    ['0-40.sf3', { bankMSB: 0, program: 40, isGMGSDrum: false, name: 'Violin' }],
    ['drums-0.sf3', { bankMSB: 0, program: 0, isGMGSDrum: true, name: 'Standard' }],
  ])('are sound fonts of one preset: %s', async (name, preset) => {
    const { presets, samples } = await bankOf(name)
    expect(presets).toHaveLength(1)
    expect(presets[0]).toMatchObject(preset)
    const [sample] = samples
    expect(sample?.getAudioData().some((value) => Math.abs(value) > 0.1)).toBe(true)
  })

  it('have the number that was asked for, also if the font has only a similar sound', async () => {
    const { presets } = await bankOf('77-73.sf3')
    expect(presets[0]).toMatchObject({ bankMSB: 77, program: 73, name: 'Flute' })
  })

  it('are kept by browsers for a month, and compared after it', async () => {
    const { headers } = await get('0-73.sf3')
    expect(headers.get('cache-control')).toBe('public, max-age=2592000')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const again = await get('0-73.sf3', { 'If-None-Match': headers.get('etag') ?? '' })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
  })

  it.each(['0-128.sf3', '128-0.sf3', 'drums-200.sf3', '0-0', 'x.sf3', '..%2f0-0.sf3'])(
    'do not exist for other names: %s',
    async (name) => {
      expect((await get(name)).status).toBe(404)
    },
  )
})
