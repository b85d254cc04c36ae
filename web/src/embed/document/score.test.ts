import { describe, expect, it } from 'vitest'
import { measureDetails, noteDetails } from './details.ts'
import { changedPlace, lookUp, neighbour, noteAt, startPlace } from '../note-cursor.ts'
import { scoreTimeOf, trackOf } from '../tracks.ts'
import { readScore } from './score.ts'
import { derivedUuid } from './uuids.ts'

const pitch = (step: string) => ({ pitch: { step, octave: '4' } })
/** A piano part of a measure: a dotted half, a chord with a slur and a grace note before it; below it a whole rest. */
const document = {
  'score-partwise': {
    'part-list': { 'score-part': [{ $id: 'P1', 'part-name': 'Piano', 'part-abbreviation': 'Pno.' }] },
    part: [
      {
        $id: 'P1',
        $uuid: 'piano',
        measure: [
          {
            $uuid: 'm1',
            $order: ['attributes', 'direction', 'note', 4, 'backup', 'note'],
            attributes: [
              {
                divisions: '2',
                key: [{ fifths: '-3' }],
                time: [{ beats: ['4'], 'beat-type': ['4'] }],
                staves: '2',
                clef: [
                  { $number: '1', sign: 'G', line: '2' },
                  { $number: '2', sign: 'F', line: '4' },
                ],
              },
            ],
            direction: [
              {
                'direction-type': [
                  { metronome: { 'beat-unit': ['half'], 'per-minute': '60' } },
                  { dynamics: [{ mf: [''] }] },
                ],
              },
            ],
            note: [
              { ...pitch('C'), duration: '6', voice: '1', type: 'half', dot: [''], staff: '1' },
              { grace: '', ...pitch('D'), voice: '1', type: 'eighth', staff: '1' },
              {
                ...pitch('E'),
                duration: '2',
                voice: '1',
                type: 'quarter',
                staff: '1',
                notations: [
                  { slur: [{ $type: 'start', $number: '1' }], articulations: [{ staccato: [''] }] },
                ],
                lyric: [{ $number: '1', syllabic: ['begin'], text: ['la'] }],
              },
              { chord: '', ...pitch('G'), duration: '2', voice: '1', type: 'quarter', staff: '1' },
              { rest: { $measure: 'yes' }, duration: '8', voice: '5', staff: '2' },
            ],
            backup: [{ duration: '8' }],
          },
          { $uuid: 'm2', note: [{ ...pitch('C'), duration: '8', voice: '1', type: 'whole', staff: '1' }] },
        ],
      },
    ],
  },
}
const score = readScore(document)

describe('a score in the JSON form', () => {
  it('has the notes of each voice, chords as one, and grace notes with the note after them', () => {
    const [part] = score.parts
    expect([part?.name, part?.abbreviation, part?.staves.length, part?.voices.length]).toEqual([
      'Piano',
      'Pno.',
      2,
      2,
    ])
    const [upper, lower] = part?.measures[0]?.voices ?? []
    expect(
      upper?.notes.map(({ onset, quarters, graces, ids }) => [onset, quarters, graces, ids.length]),
    ).toEqual([
      [0, 3, 0, 1],
      [3, 1, 1, 2],
    ])
    expect(upper?.notes[1]?.ids).toEqual(['m1-piano-2', 'm1-piano-3'])
    expect(lower?.notes.map(({ onset, isRest, staff }) => [onset, isRest, staff])).toEqual([[0, true, 1]])
  })

  it('says everything about a note', () => {
    const found = lookUp(score, { ...startPlace, noteIdx: 1 })
    if (!found?.note) throw new Error('no note')
    expect(noteDetails(found.part, found.measure, found.note)).toMatchObject({
      ...{
        articulations: ['staccato'],
        durationType: 'quarter',
        isChord: true,
        isInSlur: true,
        isRest: false,
      },
      ...{ lines: [0, 1], nbGraces: 1, lyrics: [{ text: 'la', level: 0, hasRightConnection: true }] },
    })
    const before = lookUp(score, startPlace)
    if (!before?.note) throw new Error('no note')
    expect(noteDetails(before.part, before.measure, before.note)).toMatchObject({
      nbDots: 1,
      dynamicStyle: 'mf',
      isInSlur: false,
    })
  })

  it('says what holds in a measure', () => {
    const [part] = score.parts
    if (!part) throw new Error('no part')
    expect(measureDetails(score, part, 1, 1)).toMatchObject({
      ...{ clef: { sign: 'F', line: 4 }, key: { fifths: -3 }, time: { beats: 4, 'beat-type': 4 } },
      tempo: { bpm: 60, qpm: 120, durationType: 'half', nbDots: 0 },
    })
  })
})

describe('the cursor', () => {
  it('goes from note to note in its voice, over measures without notes, and stops at the ends', () => {
    const lower = changedPlace(score, startPlace, { staffIdx: 1 })
    expect(lower).toMatchObject({ staffIdx: 1, voiceIdxInStaff: 0, noteIdx: 0 })
    expect(neighbour(score, lower, 1)).toBe(lower)
    const last = neighbour(score, { ...startPlace, noteIdx: 1 }, 1)
    expect(last).toEqual({ ...startPlace, measureIdx: 1, noteIdx: 0 })
    expect(neighbour(score, last, -1)).toEqual({ ...startPlace, noteIdx: 1 })
    expect(neighbour(score, startPlace, -1)).toBe(startPlace)
  })

  it.each([
    [{ noteIdx: 99 }, { ...startPlace, noteIdx: 1 }],
    [{ measureUuid: 'm2' }, { ...startPlace, measureIdx: 1 }],
    [{ measureIdx: 7 }, 'Parameter measureIdx is out of range: 7'],
    [{ staffIdx: '0' }, 'Parameter staffIdx should be a number, not string'],
  ])('is set by %j', (wanted, expected) => {
    const result = () => changedPlace(score, startPlace, wanted)
    if (typeof expected === 'string') expect(result).toThrow(expected)
    else expect(result()).toEqual(expected)
  })

  it('finds the note that sounds', () => {
    const found = lookUp(score, startPlace)
    if (!found) throw new Error('no voice')
    expect([0, 2.9, 3, 9].map((quarters) => noteAt(found.measure, found.voice, quarters))).toEqual([
      0, 0, 1, 1,
    ])
  })
})

describe('a recording that the page plays', () => {
  const at = (time: number, measureIdx: number) => ({ type: 'measure', time, location: { measureIdx } })
  const points = [at(10, 2), at(0, 0), { type: 'end', time: 30 }]
  it('has measures at its points and evenly between them', () => {
    const track = trackOf({ id: 'x', type: 'external', synchronizationPoints: points }, 4)
    expect([0, 5, 10, 15, 40].map((time) => scoreTimeOf(track, time))).toEqual([
      { measureIdx: 0, share: 0 },
      { measureIdx: 1, share: 0 },
      { measureIdx: 2, share: 0 },
      { measureIdx: 2, share: 0.5 },
      { measureIdx: 4, share: 0 },
    ])
  })

  it('is refused with points outside of the score', () => {
    expect(() => trackOf({ id: 'x', type: 'external', synchronizationPoints: [at(0, 9)] }, 4)).toThrow(
      'synchronization point',
    )
  })
})

it('derives uuids that stay the same and differ', () => {
  const uuids = Array.from({ length: 1000 }, (_, index) => derivedUuid(`part voice ${index}`))
  expect(new Set(uuids).size).toBe(1000)
  expect(
    uuids.every((uuid) => /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(uuid)),
  ).toBe(true)
  expect(derivedUuid('part voice 1')).toBe(uuids[1])
})
