import { describe, expect, test } from 'vitest'
import { direction, graceNote, miniScore, miniTimeline, note, notesOf, words } from '../testing/mini-score.ts'
import { asWritten } from './playback-options.ts'
import { timelineOf } from './timeline.ts'

const divisions = '<attributes><divisions>4</divisions></attributes>'
const eighth = (pitch: string, more = '') => note(pitch, 2, `<type>eighth</type>${more}`)
const sixteenth = (pitch: string) => note(pitch, 1, '<type>16th</type>')
const pair = eighth('C4') + eighth('D4')
const swing = (content: string) => `<sound><swing>${content}</swing></sound>`
const ratio = (first: number, second: number, type = 'eighth') =>
  swing(`<first>${first}</first><second>${second}</second><swing-type>${type}</swing-type>`)
const sounding = (...measures: string[]) => notesOf(miniTimeline(measures.map((one) => divisions + one)))

const swung = ['60@0-0.667', '62@0.667-1']
const even = ['60@0-0.5', '62@0.5-1']

describe('swing', () => {
  test('of a sound has its ratio and its note value, until it is straight', () => {
    expect(sounding(ratio(3, 2) + pair)).toEqual(['60@0-0.6', '62@0.6-1'])
    expect(sounding(ratio(2, 1, '16th') + sixteenth('C4') + sixteenth('D4') + eighth('E4'))).toEqual([
      '60@0-0.333',
      '62@0.333-0.5',
      '64@0.5-1',
    ])
    expect(sounding(ratio(2, 1) + pair + swing('<straight/>') + pair)).toEqual([
      ...swung,
      '60@1-1.5',
      '62@1.5-2',
    ])
  })

  test.each(['Swing', 'Medium Swing', 'Swing!', 'swung eighths', 'Shuffle'])(
    'of the words %s is 2 to 1',
    (text) => {
      expect(sounding(words(text) + pair)).toEqual(swung)
    },
  )

  test.each(['Straight 8ths', 'even eighths', 'no swing', 'Straight', 'play straight'])(
    'ends with the words %s',
    (text) => {
      expect(sounding(words('Swing') + pair, words(text) + pair)).toEqual([...swung, '60@1-1.5', '62@1.5-2'])
    },
  )

  test.each(['straight mute', 'even softer', 'even lighter'])('goes on after the words %s', (text) => {
    expect(sounding(words('Swing') + pair, words(text) + pair)).toEqual([
      ...swung,
      '60@1-1.667',
      '62@1.667-2',
    ])
  })

  test('of a sign of two eighth notes that mean a triplet', () => {
    const metronomeNote = (type: string) =>
      `<metronome-note><metronome-type>${type}</metronome-type><metronome-tuplet><actual-notes>3</actual-notes><normal-notes>2</normal-notes></metronome-tuplet></metronome-note>`
    const equal = '<metronome-note><metronome-type>eighth</metronome-type></metronome-note>'
    const sign = `<metronome>${equal}${equal}<metronome-relation>equals</metronome-relation>${metronomeNote('quarter')}${metronomeNote('eighth')}</metronome>`
    expect(sounding(direction(sign) + pair)).toEqual(swung)
  })

  test('is heard in all parts and in the notes that begin or end off the beat', () => {
    const syncopation = eighth('C4') + note('D4', 4, '<type>quarter</type>') + eighth('E4')
    const timeline = miniTimeline([divisions + words('Swing') + pair + pair], [divisions + syncopation])
    expect(notesOf(timeline, 1)).toEqual(['60@0-0.667', '62@0.667-1.667', '64@1.667-2'])
  })

  test('moves grace notes and lyrics with their note', () => {
    const lyric = '<lyric><text>la</text></lyric>'
    const timeline = miniTimeline([
      divisions + words('Swing') + eighth('C4') + graceNote('E4', 'slash="yes"') + eighth('D4', lyric),
    ])
    expect(notesOf(timeline)).toEqual(['60@0-0.667', '64@0.667-0.792', '62@0.792-1'])
    expect((timeline.parts[0]?.lyrics[0]?.tick ?? 0) / timeline.ticksPerQuarter).toBeCloseTo(2 / 3, 3)
  })

  test('leaves tuplets, notes without a type, divided pairs and compound meters', () => {
    expect(sounding(words('Swing') + note('C4', 2) + note('D4', 2))).toEqual(even)
    const triplet = (pitch: string) => note(pitch, 2, '<type>quarter</type>')
    expect(sounding(words('Swing') + triplet('C4') + triplet('D4'))).toEqual(even)
    const divided = eighth('C4') + sixteenth('D4') + sixteenth('E4')
    expect(sounding(words('Swing') + divided)).toEqual(['60@0-0.5', '62@0.5-0.75', '64@0.75-1'])
    const compound = '<attributes><time><beats>6</beats><beat-type>8</beat-type></time></attributes>'
    expect(sounding(compound + words('Swing') + pair)).toEqual(even)
  })

  test('counts the beats of a pickup from its end', () => {
    const pickup = words('Swing') + eighth('G3')
    expect(sounding(pickup, pair + pair + pair + pair).slice(0, 3)).toEqual([
      '55@0.167-0.5',
      '60@0.5-1.167',
      '62@1.167-1.5',
    ])
  })

  test('can be switched off', () => {
    expect(notesOf(timelineOf(miniScore([divisions + words('Swing') + pair]), asWritten))).toEqual(even)
  })
})
