import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { noteIdOf } from '../../../music/model/note-ids.ts'

type TimedNote = [start: number, end: number, key: number, ...places: [measure: number, index: number][]]
interface NoteTimes {
  duration: number
  measures: string[]
  parts: { uuid: string; notes: TimedNote[] }[]
}

describeEachDatabase('the times of notes', (databases) => {
  const app = useApp(databases)
  let owner: Person
  let stranger: Person
  let score: { id: string; sharingKey: string }

  beforeAll(async () => {
    owner = await app.person('owner')
    stranger = await app.person('stranger')
    const data = musicXml({ parts: ['Flute', 'Viola'], measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'] })
    score = (await owner.post('/scores', { data, privacy: 'privateLink' })).body
  })

  const at = (format: string) => `/scores/${score.id}/revisions/last/${format}`
  const timesOf = async (query = ''): Promise<NoteTimes> => (await owner.get(at(`noteTimes${query}`))).body
  const idsOf = ({ measures, parts }: NoteTimes) =>
    parts.flatMap(({ uuid, notes }) =>
      notes.flatMap(([, , , ...places]) =>
        places.map(([measure, index]) => noteIdOf(measures[measure] ?? '', uuid, index)),
      ),
    )
  const idsOnPage = async (query = '') =>
    [
      ...Buffer.from((await owner.get(at(`svg${query}`))).bytes)
        .toString()
        .matchAll(/ id="([^"]*)" class="Note"/g),
    ].map(([, id]) => id)

  it('have the seconds and keys of all notes', async () => {
    const { duration, parts } = await timesOf()
    expect(duration).toBe(4)
    const flute = parts[0]?.notes ?? []
    expect(flute).toHaveLength(8)
    expect(flute.slice(0, 2)).toEqual([
      [0, 0.5, 60, [0, 0]],
      [0.5, 1, 62, [0, 1]],
    ])
    expect(flute.at(-1)).toEqual([3.5, 4, 62, [1, 3]])
    expect(parts[1]?.notes).toEqual(flute)
  })

  it('refer to the notes of the SVG', async () => {
    const ids = idsOf(await timesOf())
    expect(new Set(ids).size).toBe(16)
    expect((await idsOnPage()).sort()).toEqual(ids.sort())
  })

  it('refer to the same notes in a selection of parts', async () => {
    const all = await timesOf()
    const viola = all.parts[1]
    const selection = `?parts=${viola?.uuid}`
    expect(await timesOf(selection)).toEqual({ ...all, parts: [viola] })
    expect((await idsOnPage(selection)).sort()).toEqual(idsOf(await timesOf(selection)).sort())
  })

  it('refer to the same notes in a new revision', async () => {
    const before = await timesOf()
    const data = musicXml({
      parts: ['Flute', 'Viola'],
      measures: ['C4 D4 E4 F4', 'A4 A4 A4 A4', 'G4 F4 E4 D4'],
    })
    await owner.post(`/scores/${score.id}/revisions`, { data })
    const after = idsOf(await timesOf())
    expect(after).toHaveLength(24)
    expect(after).toEqual(expect.arrayContaining(idsOf(before)))
  })

  it('can be read by those who can read the score', async () => {
    const statusOf = async (reader: Pick<Person, 'get'>, query = '') =>
      (await reader.get(at(`noteTimes${query}`))).status
    const key = `?sharingKey=${score.sharingKey}`
    expect([await statusOf(stranger), await statusOf(app.anonymous)]).toEqual([404, 404])
    expect([await statusOf(stranger, key), await statusOf(app.anonymous, key)]).toEqual([200, 200])
  })
})
