import { describe, expect, it } from 'vitest'
import { writeMidi } from '../../../../src/music/formats/midi/write.ts'
import { measuresOf, partsOf } from '../../../../src/music/model/document.ts'
import { synchronizationPointsOf } from '../../../../src/music/timeline/synchronization-points.ts'
import { timelineOf } from '../../../../src/music/timeline/timeline.ts'
import { miniScore, note } from '../../../../src/music/testing/mini-score.ts'
import { beatsOf, countInAt, indexAt, passageBetween, playedMeasures, startOf } from './places.ts'
import { readSong } from './song.ts'

/** The music of a part of these measures, whose uuids are m1, m2, and so on. */
function musicOf(...contents: string[]) {
  const score = miniScore(contents)
  for (const part of partsOf(score))
    for (const [index, measure] of measuresOf(part).entries()) measure.uuid = `m${index + 1}`
  const timeline = timelineOf(score)
  const song = readSong(writeMidi(timeline))
  const measures = playedMeasures(synchronizationPointsOf(timeline))
  return { measures, beats: beatsOf(song, measures) }
}

const backward = '<barline><repeat direction="backward"/></barline>'
const meter = (beats: number) =>
  `<attributes><divisions>1</divisions><time><beats>${beats}</beats><beat-type>4</beat-type></time></attributes>`
/** At 60 a minute: m1 m2 m1 m2 m3, 4 s each. */
const repeated = musicOf(
  `${meter(4)}<sound tempo="60"/>${note('C4', 4)}`,
  note('D4', 4) + backward,
  note('E4', 4),
)

describe('the measures of a playback', () => {
  it('are found by time, with repeats', () => {
    const uuidAt = (seconds: number) => repeated.measures[indexAt(repeated.measures, seconds)]?.uuid
    expect([0, 3.99, 4, 8, 12.5, 16, 99].map(uuidAt)).toEqual(['m1', 'm1', 'm2', 'm1', 'm2', 'm3', 'm3'])
    expect(indexAt([], 3)).toBe(-1)
  })

  it('start where they are clicked: in this round, or else in the next one', () => {
    const from = (uuid: string, seconds: number) => startOf(repeated.measures, uuid, seconds)
    expect([from('m1', 0), from('m1', 5), from('m1', 9), from('m1', 18), from('m3', 0)]).toEqual([
      0, 8, 8, 0, 16,
    ])
    expect(from('none', 0)).toBeUndefined()
  })

  it('make a passage, in whichever order they are chosen', () => {
    expect(passageBetween(repeated.measures, 'm1', 'm2', 0)).toEqual({ start: 0, end: 8 })
    expect(passageBetween(repeated.measures, 'm2', 'm1', 0)).toEqual({ start: 0, end: 8 })
    expect(passageBetween(repeated.measures, 'm2', 'm3', 13)).toEqual({ start: 12, end: 20 })
    expect(passageBetween(repeated.measures, 'm3', 'm3', 0)).toEqual({ start: 16, end: 20 })
  })
})

describe('the beats of a metronome', () => {
  it('are those of the meter, and the first one of each measure is marked', () => {
    const { beats } = repeated
    expect(beats).toHaveLength(20)
    expect(beats.filter(({ isFirst }) => isFirst).map(({ seconds }) => seconds)).toEqual([0, 4, 8, 12, 16])
  })

  it('start again after an upbeat', () => {
    const { beats } = musicOf(`${meter(4)}<sound tempo="60"/>${note('C4', 1)}`, note('C4', 4))
    expect(beats.map(({ seconds, isFirst }) => [seconds, isFirst])).toEqual([
      [0, true],
      [1, true],
      [2, false],
      [3, false],
      [4, false],
    ])
  })

  it('count in a whole measure, also before an upbeat', () => {
    const upbeat = musicOf(`${meter(3)}<sound tempo="120"/>${note('C4', 1)}`, note('C4', 3))
    expect(countInAt(upbeat.beats, upbeat.measures, 0)).toEqual({ beats: 3, interval: 0.5 })
    expect(countInAt(repeated.beats, repeated.measures, 8)).toEqual({ beats: 4, interval: 1 })
  })
})
