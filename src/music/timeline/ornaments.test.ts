import { describe, expect, test } from 'vitest'
import { chordNote, graceNote, miniScore, miniTimeline, note, notesOf, rest } from '../testing/mini-score.ts'
import { asWritten } from './playback-options.ts'
import { timelineOf } from './timeline.ts'

const ornament = (content: string) => `<notations><ornaments>${content}</ornaments></notations>`
const key = (fifths: number) => `<attributes><key><fifths>${fifths}</fifths></key></attributes>`
const accidental = (value: string, placement?: string) =>
  `<accidental-mark${placement ? ` placement="${placement}"` : ''}>${value}</accidental-mark>`
const tieStart = '<tie type="start"/>'
const tieStop = '<tie type="stop"/>'
/** 60 quarter notes a minute, so that a quarter note lasts a second. */
const slow = '<sound tempo="60"/>'

const sounding = (...measures: string[]) => notesOf(miniTimeline(measures))
/** The keys in the order of playing. */
const keysOf = (...measures: string[]) => sounding(...measures).map((one) => Number(one.split('@')[0]))

describe('a trill', () => {
  const trill = ornament('<trill-mark/>')

  test('alternates with the upper note at about 12 notes a second, and ends on its own note', () => {
    const notes = sounding(slow + note('C5', 1, trill))
    expect(notes).toHaveLength(12)
    expect(notes.slice(0, 2)).toEqual(['74@0-0.083', '72@0.083-0.167'])
    expect(notes.at(-1)).toBe('72@0.917-1')
  })

  test('has as many notes a second in a fast tempo', () => {
    expect(keysOf(`<sound tempo="120"/>${note('C5', 1, trill)}`)).toEqual([74, 72, 74, 72, 74, 72])
  })

  test('has the accidental that is placed below it', () => {
    const below = ornament(`<trill-mark placement="below"/>${accidental('flat', 'below')}`)
    expect(keysOf(slow + note('D5', 1, below)).slice(0, 2)).toEqual([75, 74])
  })

  test('follows the key signature at its place, not a later one of its measure', () => {
    expect(keysOf(key(0) + slow + note('E5', 1, trill) + key(1)).slice(0, 2)).toEqual([77, 76])
    expect(keysOf(key(0) + slow + rest(1) + key(1) + note('E5', 1, trill)).slice(0, 2)).toEqual([78, 76])
  })

  test('begins on the note that start-note names', () => {
    const starting = (start: string) =>
      keysOf(slow + note('C5', 1, ornament(`<trill-mark start-note="${start}"/>`)))
    expect(starting('main').slice(0, 3)).toEqual([72, 74, 72])
    expect(starting('main').at(-1)).toBe(72)
    expect(starting('below').slice(0, 4)).toEqual([71, 72, 74, 72])
  })

  test('has the number of beats, the step and the turn that the score gives', () => {
    const attributes = 'beats="6" trill-step="half" two-note-turn="half" start-note="upper"'
    expect(keysOf(slow + note('C5', 1, ornament(`<trill-mark ${attributes}/>`)))).toEqual([
      73, 72, 73, 72, 71, 72,
    ])
  })

  test('becomes faster if it accelerates', () => {
    const [first, ...others] = sounding(
      slow + note('C5', 1, ornament('<trill-mark beats="8" accelerate="yes"/>')),
    )
    const lengthOf = (one = '') => {
      const [start, end] = (one.split('@')[1] ?? '').split('-').map(Number)
      return (end ?? 0) - (start ?? 0)
    }
    expect(lengthOf(first)).toBeGreaterThan(lengthOf(others.at(-1)) * 1.2)
  })

  test('takes the upper note from the key, from an accidental before it, or from its accidental mark', () => {
    expect(keysOf(key(-3) + slow + note('D5', 1, trill))[0]).toBe(75)
    expect(keysOf(key(1) + slow + note('E5', 1, trill))[0]).toBe(78)
    expect(keysOf(slow + note('F#5', 1) + note('E5', 1, trill))[1]).toBe(78)
    expect(keysOf(slow + note('E5', 1, ornament(`<trill-mark/>${accidental('sharp')}`)))[0]).toBe(78)
    expect(keysOf(key(2) + slow + note('E5', 1, ornament(`<trill-mark/>${accidental('natural')}`)))[0]).toBe(
      77,
    )
  })

  test('has no step of more than a whole tone without an accidental mark, and none of nothing', () => {
    expect(keysOf(slow + note('Bb4', 1, trill))[0]).toBe(72)
    expect(keysOf(slow + note('Ab4', 1, trill))[0]).toBe(70)
    expect(keysOf(key(-7) + slow + note('B4', 1, trill))[0]).toBe(72)
  })

  test('lasts as long as the ties, and begins with the note that has its sign', () => {
    expect(sounding(slow + note('C5', 1, trill + tieStart), note('C5', 1, tieStop))).toHaveLength(24)
    const late = sounding(slow + note('C5', 1, tieStart), note('C5', 1, trill + tieStop))
    expect(late[0]).toBe('72@0-1')
    expect(late).toHaveLength(13)
  })

  test('ends with two grace notes after it, which are played before the beat', () => {
    const notes = sounding(slow + note('C5', 1, trill) + graceNote('B4') + graceNote('C5') + note('D5', 1))
    expect(notes.slice(-3)).toEqual(['71@0.75-0.875', '72@0.875-1', '74@1-2'])
    const one = sounding(slow + note('C5', 1, trill) + graceNote('B4', 'slash="yes"') + note('D5', 1))
    expect(one.slice(-2)).toEqual(['71@1-1.125', '74@1.125-2'])
  })

  test('of an unpitched note is a roll', () => {
    const drum = `<note><unpitched/><duration>1</duration>${trill}</note>`
    expect(new Set(keysOf(slow + drum)).size).toBe(1)
    expect(keysOf(slow + drum)).toHaveLength(12)
  })

  test('is on the highest note of its chord', () => {
    const keys = keysOf(slow + note('C5', 1, trill) + chordNote('E5', 1))
    expect(keys.filter((one) => one === 72)).toHaveLength(1)
    expect(new Set(keys)).toEqual(new Set([72, 76, 77]))
  })
})

describe('a wavy line', () => {
  const start = '<trill-mark/><wavy-line type="start"/>'
  const stop = '<wavy-line type="stop"/>'

  test('extends a trill to all notes of its voice up to the stop', () => {
    const keys = keysOf(
      slow + note('C5', 1, ornament(start)),
      note('E5', 1) + note('G5', 1, ornament(stop)) + note('C6', 1),
    )
    expect(new Set(keys)).toEqual(new Set([74, 72, 77, 76, 81, 79, 84]))
    expect(keys.filter((one) => one === 84)).toHaveLength(1)
  })

  test('ends on a grace note', () => {
    const keys = keysOf(
      slow +
        note('C5', 1, ornament(start)) +
        note('E5', 1) +
        graceNote('D5', '', ornament(stop)) +
        note('G5', 1),
    )
    expect(keys).toContain(77)
    expect(keys).not.toContain(81)
  })

  test('is a vibrato without a trill mark, and is then not played', () => {
    const line = '<wavy-line type="start"/>'
    expect(keysOf(slow + note('C5', 1, ornament(line)) + note('E5', 1, ornament(stop)))).toEqual([72, 76])
    const sounds = '<wavy-line type="start" start-note="upper"/>'
    expect(keysOf(slow + note('C5', 1, ornament(sounds)) + note('E5', 1, ornament(stop)))).toContain(74)
  })
})

describe('turns, mordents and the slide from below', () => {
  const figure = (sign: string, duration = 0.4) =>
    sounding(
      `<attributes><divisions>10</divisions></attributes>${slow}${note('C5', duration * 10, ornament(sign))}`,
    )
  const keys = (sign: string) => figure(sign).map((one) => Number(one.split('@')[0]))

  test.each([
    ['<turn/>', [74, 72, 71, 72]],
    ['<vertical-turn/>', [74, 72, 71, 72]],
    ['<haydn/>', [74, 72, 71, 72]],
    ['<inverted-turn/>', [71, 72, 74, 72]],
    ['<inverted-vertical-turn/>', [71, 72, 74, 72]],
    ['<delayed-turn/>', [72, 74, 72, 71, 72]],
    ['<delayed-inverted-turn/>', [72, 71, 72, 74, 72]],
    ['<mordent/>', [72, 71, 72]],
    ['<mordent long="yes"/>', [72, 71, 72, 71, 72]],
    ['<mordent approach="above"/>', [73, 72, 71, 72]],
    ['<inverted-mordent/>', [72, 74, 72]],
    ['<shake/>', [74, 72, 74, 72]],
    ['<schleifer/>', [69, 71, 72]],
  ])('%s', (sign, expected) => {
    expect(keys(sign)).toEqual(expected)
  })

  test('accidental marks alter the notes above and below', () => {
    expect(keys(`<turn/>${accidental('flat')}${accidental('flat')}`)).toEqual([73, 72, 70, 72])
    expect(keys(`<turn/>${accidental('flat', 'below')}`)).toEqual([74, 72, 70, 72])
    expect(keys(`<mordent/>${accidental('flat')}`)).toEqual([72, 70, 72])
    expect(keys('<mordent trill-step="whole"/>')).toEqual([72, 70, 72])
  })

  test('divide a short note evenly, and hold the last note of a long one', () => {
    expect(figure('<turn/>')).toEqual(['74@0-0.1', '72@0.1-0.2', '71@0.2-0.3', '72@0.3-0.4'])
    expect(figure('<turn/>', 2).at(-1)).toBe('72@0.3-2')
    expect(figure('<mordent/>', 2)).toEqual(['72@0-0.1', '71@0.1-0.2', '72@0.2-2'])
    expect(figure('<delayed-turn/>', 2).slice(0, 2)).toEqual(['72@0-1.6', '74@1.6-1.7'])
  })

  test('second-beat and last-beat give their times', () => {
    expect(figure('<turn second-beat="10" last-beat="90"/>', 2)).toEqual([
      '74@0-0.2',
      '72@0.2-1',
      '71@1-1.8',
      '72@1.8-2',
    ])
  })
})

describe('what cannot be played out stays the written note', () => {
  test('a trill on a note of two hundredths of a second', () => {
    const short = '<attributes><divisions>50</divisions></attributes>'
    expect(sounding(short + slow + note('C5', 1, ornament('<trill-mark/>')))).toEqual(['72@0-0.02'])
  })

  test('an ornament without a note, and ornaments that were switched off', () => {
    expect(sounding(slow + rest(1, ornament('<trill-mark/>')))).toEqual([])
    const score = miniScore([
      slow + note('C5', 1, ornament('<trill-mark/>')) + graceNote('B4') + graceNote('C5') + note('D5', 1),
    ])
    expect(notesOf(timelineOf(score, asWritten))).toEqual([
      '72@0-1',
      '71@1-1.125',
      '72@1.125-1.25',
      '74@1.25-2',
    ])
  })
})
