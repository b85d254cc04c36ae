import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeMidi } from '../../../../src/music/formats/midi/write.ts'
import { readMusicXml } from '../../../../src/music/formats/musicxml/read.ts'
import { readMxl } from '../../../../src/music/formats/mxl/read.ts'
import { noteTimes } from '../../../../src/music/formats/note-times/format.ts'
import { identify } from '../../../../src/music/model/uuids.ts'
import { type ParsedMidi, parseMidi } from '../../../../src/music/testing/parse-midi.ts'
import { asWritten } from '../../../../src/music/timeline/playback-options.ts'
import { timelineOf } from '../../../../src/music/timeline/timeline.ts'
import { corpusFiles, corpusTitle, hasCorpus } from '../../../../test/support/corpus.ts'
import { createLights, readNoteTimes } from './lit-notes.ts'

/** At least so many scores have repeats or jumps. */
const leastScores = 5
const momentCount = 50

interface Sounding {
  /** Seconds. */
  readonly start: number
  readonly end: number
  /** The place of the part in the score, and the MIDI key. */
  readonly name: string
}

describe.skipIf(!hasCorpus)(corpusTitle('the lights of real scores with repeats'), () => {
  const scores: { name: string; lit: (seconds: number) => string[]; sounding: Sounding[] }[] = []

  beforeAll(async () => {
    const songs = await Promise.all(
      corpusFiles('lieder-mxl').map(async ({ name, bytes }) => ({ name, xml: await readMxl(bytes) })),
    )
    const examples = corpusFiles('musicxml-suite')
      .filter(({ name }) => /\.(?:xml|musicxml)$/.test(name))
      .map(({ name, bytes }) => ({ name, xml: bytes }))
    for (const { name, xml } of [...songs, ...examples]) {
      if (!/<repeat direction="backward"|(?:dacapo|dalsegno)="/.test(new TextDecoder().decode(xml))) continue
      const document = readMusicXml(xml)
      identify(document, () => crypto.randomUUID())
      const times = new TextDecoder().decode((await noteTimes.export?.write(document)) as Uint8Array)
      const sounding = soundingNotes(parseMidi(writeMidi(timelineOf(document, asWritten))))
      // Some examples have rests only.
      if (sounding.length > 0) scores.push({ name, lit: litNotes(times), sounding })
    }
  })

  it('are at any time on the notes that sound by the MIDI file', () => {
    expect(scores.length).toBeGreaterThanOrEqual(leastScores)
    let compared = 0
    for (const { name, lit, sounding } of scores) {
      const duration = Math.max(...sounding.map(({ end }) => end))
      const share = fc.integer({ min: 0, max: 1_000_000 })
      const moments = fc.sample(share, { numRuns: 300, seed: 17 }).map((one) => (one / 1e6) * duration)
      // Note times are rounded to milliseconds, so a moment beside the start or end of a note proves nothing.
      const clear = moments.filter((at) =>
        sounding.every(({ start, end }) => Math.abs(start - at) > 0.002 && Math.abs(end - at) > 0.002),
      )
      for (const at of clear.slice(0, momentCount)) {
        const expected = sounding.filter(({ start, end }) => start < at && at < end).map((one) => one.name)
        expect([name, at, lit(at)]).toEqual([name, at, [...new Set(expected)].sort()])
        compared++
      }
    }
    expect(compared).toBe(scores.length * momentCount)
  })
})

/** Returns a function from a time to the notes whose heads are lit, on a sheet that has all of them. */
function litNotes(json: string): (seconds: number) => string[] {
  const { notes } = readNoteTimes(json)
  const nameOf = new Map(notes.flatMap(({ ids, part, key }) => ids.map((id) => [id, `${part}:${key}`])))
  const on = new Set<string>()
  const toggle = (id: string) => (_name: string, isOn: boolean) => (isOn ? on.add(id) : on.delete(id))
  const { show } = createLights(notes, { note: (id) => [{ classList: { toggle: toggle(id) } }] as never })
  return (seconds) => {
    show(seconds)
    return [...new Set([...on].map((id) => nameOf.get(id) ?? id))].sort()
  }
}

/** Returns the notes of a MIDI file, whose parts are the tracks after the first one. */
function soundingNotes({ notes, metas, division }: ParsedMidi): Sounding[] {
  const tempos = metas.filter(({ track, type }) => track === 0 && type === 0x51)
  function secondsAt(tick: number): number {
    let [seconds, from, tempo] = [0, 0, 500_000]
    for (const { tick: at, data } of tempos) {
      if (at >= tick) break
      seconds += ((at - from) * tempo) / division / 1e6
      from = at
      tempo = ((data[0] ?? 0) << 16) | ((data[1] ?? 0) << 8) | (data[2] ?? 0)
    }
    return seconds + ((tick - from) * tempo) / division / 1e6
  }
  return notes.map(({ track, key, start, end }) => ({
    start: secondsAt(start),
    end: secondsAt(end),
    name: `${track - 1}:${key}`,
  }))
}
