import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('the contents of measures', (databases) => {
  const app = useApp(databases)

  it('are an export of the score, with the uuids of its measures, for those who can read it', async () => {
    const owner = await app.person('owner')
    const data = musicXml({ parts: ['Flute', 'Viola'], measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'] })
    const { id } = (await owner.post('/scores', { data, privacy: 'private' })).body
    const at = (format: string) => `/scores/${id}/revisions/last/${format}`
    const { body } = await owner.get(at('measureContents'))
    const times = (await owner.get(at('noteTimes'))).body
    expect(body.parts.map(({ name }: { name: string }) => name)).toEqual(['Flute', 'Viola'])
    expect(body.measures.map(({ uuid }: { uuid: string }) => uuid)).toEqual(times.measures)
    expect(body.measures[1].parts[1][0].voices[0][0]).toMatchObject({
      type: 'notes',
      pitches: [{ step: 'G', alter: 0, octave: 4 }],
    })
    const stranger = await app.person('stranger')
    expect((await stranger.get(at('measureContents'))).status).toBe(404)
  })
})
