import { describe, expect, test } from 'vitest'
import { miniTimeline, note, notesOf } from '../testing/mini-score.ts'

const glide = (name: string, type: string, number = 1) =>
  `<notations><${name} type="${type}" number="${number}"/></notations>`
const program = (number: number) =>
  `<score-instrument id="I"><instrument-name>x</instrument-name></score-instrument><midi-instrument id="I"><midi-program>${number}</midi-program></midi-instrument>`
const keysOf = (content: string, on: number) =>
  notesOf(miniTimeline({ measures: [content], scorePart: program(on) })).map((one) =>
    Number(one.split('@')[0]),
  )

const violin = 41
const piano = 1
const harp = 47

describe('a glissando', () => {
  const up = note('C4', 1, glide('glissando', 'start')) + note('F4', 1, glide('glissando', 'stop'))

  test('plays every semitone in the time of its first note', () => {
    const timeline = miniTimeline({ measures: [up], scorePart: program(violin) })
    expect(notesOf(timeline)).toEqual([
      '60@0-0.2',
      '61@0.2-0.4',
      '62@0.4-0.6',
      '63@0.6-0.8',
      '64@0.8-1',
      '65@1-2',
    ])
  })

  test('plays the white keys of a piano, or the black ones between two black keys', () => {
    expect(keysOf(up, piano)).toEqual([60, 62, 64, 65])
    const black = note('F#4', 1, glide('glissando', 'start')) + note('C#4', 1, glide('glissando', 'stop'))
    expect(keysOf(black, piano)).toEqual([66, 63, 61])
  })

  test('plays the strings of a harp as the key signature sets them', () => {
    const key = '<attributes><key><fifths>-3</fifths></key></attributes>'
    expect(keysOf(key + up, harp)).toEqual([60, 62, 63, 65])
  })

  test('needs both ends', () => {
    expect(keysOf(note('C4', 1, glide('glissando', 'start')) + note('F4', 1), violin)).toEqual([60, 65])
    expect(keysOf(note('C4', 1) + note('F4', 1, glide('glissando', 'stop')), violin)).toEqual([60, 65])
  })
})
