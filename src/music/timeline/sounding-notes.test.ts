import { describe, expect, test } from 'vitest'
import { chordNote, graceNote, miniScore, miniTimeline, note, notesOf, rest } from '../testing/mini-score.ts'
import { timelineOf } from './timeline.ts'

const tieStart = '<tie type="start"/>'
const tieStop = '<tie type="stop"/>'
const voice = (name: string | number) => `<voice>${name}</voice>`
const backup = (duration: number) => `<backup><duration>${duration}</duration></backup>`
const forward = (duration: number) => `<forward><duration>${duration}</duration></forward>`
const divisions = (count: number | string) => `<attributes><divisions>${count}</divisions></attributes>`
const articulation = (name: string) => `<notations><articulations>${name}</articulations></notations>`

/** The notes of a score of one part with these measures. */
function sounding(...measures: string[]): string[] {
  return notesOf(miniTimeline(measures))
}

describe('positions', () => {
  test('chords, voices, backup and forward', () => {
    expect(
      sounding(
        note('C4', 1) +
          chordNote('E4', 1) +
          rest(1) +
          note('G4', 2) +
          backup(3) +
          forward(1) +
          note('C3', 1, voice(2)),
        note('D4', 1),
      ),
    ).toEqual(['60@0-1', '64@0-1', '48@2-3', '67@2-4', '62@4-5'])
  })

  test('other elements between the notes of a chord do not separate them', () => {
    expect(sounding(`${note('C4', 2)}<direction/>${chordNote('E4', 2)}${note('G4', 2)}`)).toEqual([
      '60@0-2',
      '64@0-2',
      '67@2-4',
    ])
  })

  test('a backup does not go before the start of its measure', () => {
    expect(sounding(note('C4', 2), note('D4', 2) + backup(9) + note('E4', 1, voice(2)))).toEqual([
      '60@0-2',
      '62@2-4',
      '64@2-3',
    ])
  })

  test('divisions change within a part and may be fractions', () => {
    expect(
      sounding(
        divisions(2) + note('C4', 4) + divisions(6) + note('D4', 2) + note('E4', 2) + note('F4', 2),
        divisions(0.5) + note('G4', 0.5),
      ),
    ).toEqual(['60@0-2', '62@2-2.333', '64@2.333-2.667', '65@2.667-3', '67@3-4'])
  })

  test('a measure is as long as in its longest part, and an empty measure as its time signature', () => {
    const time = '<attributes><time><beats>3</beats><beat-type>8</beat-type></time></attributes>'
    const timeline = miniTimeline(
      [`${time}${note('C4', 1)}`, '', note('C4', 1)],
      [note('C5', 2), '', note('D5', 1)],
    )
    expect(notesOf(timeline, 0)).toEqual(['60@0-1', '60@3.5-4.5'])
    expect(notesOf(timeline, 1)).toEqual(['72@0-2', '74@3.5-4.5'])
  })

  test('rests and cue notes are silent, hidden notes sound', () => {
    expect(sounding(rest(1) + note('C4', 1, '<cue/>') + note('D4', 1, '', 'print-object="no"'))).toEqual([
      '62@2-3',
    ])
  })

  test('attack and release move the ends of a note', () => {
    expect(sounding(divisions(10) + note('C4', 20, '', 'attack="1" release="-5"'))).toEqual(['60@0.1-1.5'])
  })

  test('tuplets last as long as their durations', () => {
    expect(sounding(divisions(3) + note('C4', 2) + note('D4', 2) + note('E4', 2))).toEqual([
      '60@0-0.667',
      '62@0.667-1.333',
      '64@1.333-2',
    ])
  })
})

describe('ties', () => {
  test('a chain over barlines is one note', () => {
    expect(
      sounding(note('C4', 4, tieStart), note('C4', 4, tieStop + tieStart), note('C4', 2, tieStop)),
    ).toEqual(['60@0-10'])
  })

  test('each pitch of a chord is tied separately', () => {
    expect(
      sounding(note('C4', 2, tieStart) + chordNote('E4', 2), note('C4', 2, tieStop) + chordNote('E4', 2)),
    ).toEqual(['60@0-4', '64@0-2', '64@2-4'])
  })

  test('a tie may end in another voice and on another staff', () => {
    expect(
      sounding(note('C4', 2, tieStart + voice(1)), note('C4', 2, `${tieStop + voice(5)}<staff>2</staff>`)),
    ).toEqual(['60@0-4'])
  })

  test('two unisons are tied each in its own voice', () => {
    const timeline = miniTimeline([
      note('C4', 2, tieStart + voice(1)) + backup(2) + note('C4', 2, tieStart + voice(2)),
      note('C4', 1, tieStop + voice(2)) + backup(1) + note('C4', 2, tieStop + voice(1)),
    ])
    expect(notesOf(timeline)).toEqual(['60@0-4', '60@0-3'])
    expect(timeline.parts[0]?.notes.map((one) => one.voice)).toEqual(['1', '2'])
  })

  test('enharmonic spellings are one pitch', () => {
    expect(
      sounding(
        note('C#4', 2, tieStart),
        note('C#4', 2, tieStop).replace('<step>C</step><alter>1', '<step>D</step><alter>-1'),
      ),
    ).toEqual(['61@0-4'])
  })

  test('a tie without an end ends with its note, and an end without a start is a note', () => {
    expect(sounding(note('C4', 2, tieStart) + note('D4', 2), note('C4', 2) + note('E4', 2, tieStop))).toEqual(
      ['60@0-2', '62@2-4', '60@4-6', '64@6-8'],
    )
  })

  test('a start without an end ties the next note if it has the same pitch and voice', () => {
    expect(sounding(note('C4', 2, tieStart) + note('C4', 2))).toEqual(['60@0-4'])
    expect(sounding(note('C4', 4, tieStart), note('C4', 4) + note('C4', 4))).toEqual(['60@0-8', '60@8-12'])
    expect(sounding(note('C4', 2, tieStart) + note('D4', 2), note('C4', 4))).toEqual([
      '60@0-2',
      '62@2-4',
      '60@4-8',
    ])
    expect(sounding(note('C4', 2, tieStart) + rest(2) + note('C4', 4))).toEqual(['60@0-2', '60@4-8'])
    const otherVoice = note('C4', 2, tieStart) + backup(2) + forward(2) + note('C4', 2, voice(2))
    expect(sounding(otherVoice)).toEqual(['60@0-2', '60@2-4'])
  })

  test('a start that another voice stops does not tie the next note of its own voice', () => {
    const content =
      note('C4', 2, tieStart) +
      note('C4', 2) +
      backup(2) +
      note('C4', 2, `${tieStop}${voice(2)}<staff>2</staff>`)
    expect(sounding(content)).toEqual(['60@0-4', '60@2-4'])
  })

  test('a tie end in a repeat is struck the first time and tied the second time', () => {
    const backward = '<barline><repeat direction="backward"/></barline>'
    expect(
      sounding(note('C4', 4, tieStop), note('C4', 4, tieStart) + backward, note('C4', 4, tieStop)),
    ).toEqual(['60@0-4', '60@4-12', '60@12-20'])
  })

  test('a tie leads into each ending', () => {
    const start = (number: number) => `<barline><ending number="${number}" type="start"/></barline>`
    const stop = (number: number, more = '') =>
      `<barline><ending number="${number}" type="stop"/>${more}</barline>`
    expect(
      sounding(
        note('C4', 4, tieStart),
        start(1) + note('C4', 4, tieStop) + stop(1, '<repeat direction="backward"/>'),
        start(2) + note('C4', 2, tieStop) + stop(2),
      ),
    ).toEqual(['60@0-8', '60@8-14'])
  })

  test('the tie sign counts if no note has the tie element for the sound', () => {
    const tiedSign = (type: string) => `<notations><tied type="${type}"/></notations>`
    expect(sounding(note('C4', 4, tiedSign('start')), note('C4', 4, tiedSign('stop')))).toEqual(['60@0-8'])
  })

  test('a let-ring note sounds until the end of its measure and is not tied', () => {
    const ring = '<notations><tied type="let-ring"/></notations>'
    expect(sounding(note('C4', 1, ring) + note('D4', 3), note('C4', 4))).toEqual([
      '60@0-4',
      '62@1-4',
      '60@4-8',
    ])
  })

  test('held notes sound on while other notes follow, in any voice', () => {
    const tiedChord = note('C4', 1, tieStart) + note('E4', 1, tieStart)
    expect(sounding(tiedChord + note('C4', 2, tieStop) + chordNote('E4', 2, tieStop))).toEqual([
      '60@0-4',
      '64@1-4',
    ])
    const other = `${note('C4', 1, tieStart)}${rest(3)}${backup(4)}${forward(2)}${note('C4', 2, tieStop + voice(2))}`
    expect(sounding(other)).toEqual(['60@0-4'])
  })

  test('a measure that is too short does not break a tie of its voice', () => {
    const timeline = miniTimeline(
      [note('C4', 3, tieStart), note('C4', 4, tieStop)],
      [note('C3', 4), note('C3', 4)],
    )
    expect(notesOf(timeline)).toEqual(['60@0-8'])
  })
})

describe('grace notes', () => {
  test('a single one without a slash takes its own length from the note, at most half of it', () => {
    expect(sounding(graceNote('D4') + note('C4', 2))).toEqual(['62@0-0.5', '60@0.5-2'])
    expect(sounding(divisions(2) + graceNote('D4') + note('C4', 1))).toEqual(['62@0-0.25', '60@0.25-0.5'])
  })

  test('a single one without a slash takes at most two thirds of a dotted note', () => {
    const quarter = graceNote('D4').replace('eighth', 'quarter')
    const halves = divisions(2)
    expect(sounding(halves + quarter + note('C4', 3, '<dot/>'))).toEqual(['62@0-1', '60@1-1.5'])
    expect(sounding(halves + quarter + note('C4', 3))).toEqual(['62@0-0.75', '60@0.75-1.5'])
    expect(sounding(halves + graceNote('D4') + note('C4', 3, '<dot/>'))).toEqual(['62@0-0.5', '60@0.5-1.5'])
  })

  test('one with a slash and each of several is a 32nd', () => {
    expect(sounding(graceNote('D4', 'slash="yes"') + note('C4', 2))).toEqual(['62@0-0.125', '60@0.125-2'])
    expect(sounding(graceNote('D4') + graceNote('E4') + note('C4', 2))).toEqual([
      '62@0-0.125',
      '64@0.125-0.25',
      '60@0.25-2',
    ])
  })

  test('all notes of the principal chord are delayed, other voices are not', () => {
    expect(
      sounding(
        graceNote('D4', 'slash="yes"') +
          note('C4', 2) +
          chordNote('E4', 2) +
          backup(2) +
          note('C3', 2, voice(2)),
      ),
    ).toEqual(['48@0-2', '62@0-0.125', '60@0.125-2', '64@0.125-2'])
  })

  test('chords of grace notes are struck together', () => {
    expect(
      sounding(graceNote('D4', 'slash="yes"') + graceNote('F4', '', '<chord/>') + note('C4', 2)),
    ).toEqual(['62@0-0.125', '65@0-0.125', '60@0.125-2'])
  })

  test('steal-time-following shortens the principal note, steal-time-previous the note before it', () => {
    expect(sounding(note('E4', 2) + graceNote('D4', 'steal-time-following="25"') + note('C4', 2))).toEqual([
      '64@0-2',
      '62@2-2.5',
      '60@2.5-4',
    ])
    expect(sounding(note('E4', 2), graceNote('D4', 'steal-time-previous="25"') + note('C4', 2))).toEqual([
      '64@0-1.5',
      '62@1.5-2',
      '60@2-4',
    ])
  })

  test('make-time puts them before the beat', () => {
    expect(
      sounding(divisions(8) + note('E4', 16) + graceNote('D4', 'make-time="2"') + note('C4', 16)),
    ).toEqual(['64@0-1.75', '62@1.75-2', '60@2-4'])
  })

  test('before a rest or at the end of a measure they shorten the note before them', () => {
    expect(sounding(note('E4', 2) + graceNote('D4') + rest(2))).toEqual(['64@0-1.875', '62@1.875-2'])
    expect(sounding(note('E4', 4) + graceNote('D4') + graceNote('C4'), note('C4', 4))).toEqual([
      '64@0-3.75',
      '62@3.75-3.875',
      '60@3.875-4',
      '60@4-8',
    ])
  })

  test('one that is tied to its note is not struck again', () => {
    expect(
      sounding(
        graceNote('C4', '', tieStart) +
          graceNote('E4', '', tieStart) +
          note('C4', 2, tieStop) +
          chordNote('E4', 2, tieStop),
      ),
    ).toEqual(['60@0-2', '64@0.125-2'])
  })

  test('chords of them keep their position after a longer voice', () => {
    const other = rest(2) + note('G5', 2) + backup(4)
    const tied =
      graceNote('C4', '', tieStart + voice(2)) + graceNote('E4', '', `<chord/>${tieStart}${voice(2)}`)
    const principal = note('C4', 4, tieStop + voice(2)) + chordNote('E4', 4, tieStop + voice(2))
    expect(sounding(other + tied + principal)).toEqual(['60@0-4', '64@0-4', '79@2-4'])
  })

  test('at the start of the score they are on the beat regardless of their attributes', () => {
    expect(sounding(graceNote('D4', 'steal-time-previous="50"') + note('C4', 2))).toEqual([
      '62@0-0.5',
      '60@0.5-2',
    ])
  })
})

describe('arpeggios', () => {
  const roll = (attributes = '') => `<notations><arpeggiate ${attributes}/></notations>`

  test('spread a chord from the bottom, and hold it', () => {
    expect(sounding(note('G4', 2, roll()) + chordNote('C4', 2, roll()) + chordNote('E4', 2, roll()))).toEqual(
      ['60@0-2', '64@0.063-2', '67@0.125-2'],
    )
  })

  test('downwards from the top', () => {
    const down = roll('direction="down"')
    expect(sounding(note('C4', 2, down) + chordNote('E4', 2, down))).toEqual(['64@0-2', '60@0.063-2'])
  })

  test('strike a pitch that two voices share once, and the notes of a bracket together', () => {
    const spread = '<notations><arpeggiate/></notations>'
    const content =
      note('C4', 4, spread) + chordNote('E4', 4, spread) + backup(4) + note('C4', 4, voice(2) + spread)
    expect(sounding(content)).toEqual(['60@0-4', '60@0-4', '64@0.063-4'])
    const bracket = '<notations><arpeggiate/><non-arpeggiate type="bottom"/></notations>'
    expect(sounding(note('C4', 4, bracket) + chordNote('E4', 4, bracket))).toEqual(['60@0-4', '64@0-4'])
  })

  test('across staves when they have the same number', () => {
    const right = note('C5', 2, roll('number="1"'))
    const leftHand = (number: number) =>
      note('C3', 2, `${voice(5)}<staff>2</staff>${roll(`number="${number}"`)}`)
    expect(sounding(right + backup(2) + leftHand(1))).toEqual(['48@0-2', '72@0.063-2'])
    expect(sounding(right + backup(2) + leftHand(2))).toEqual(['48@0-2', '72@0-2'])
  })
})

describe('articulation', () => {
  test.each([
    ['<staccato/>', 2],
    ['<staccatissimo/>', 1.32],
    ['<tenuto/>', 4],
    ['<staccato/><tenuto/>', 3],
    ['<detached-legato/>', 3],
    ['<strong-accent/>', 3],
    ['<accent/>', 4],
  ])('%s leaves %d of four quarters', (sign, length) => {
    expect(sounding(note('C4', 4, articulation(sign)))).toEqual([`60@0-${length}`])
  })

  test('shortens a tied note by the loss of its last note', () => {
    expect(sounding(note('C4', 4, tieStart), note('C4', 2, tieStop + articulation('<staccato/>')))).toEqual([
      '60@0-5',
    ])
  })
})

describe('measure repeats', () => {
  const style = (type: string, measures = '', attributes = '') =>
    `<attributes><measure-style ${attributes}><measure-repeat type="${type}">${measures}</measure-repeat></measure-style></attributes>`

  test('play the measures before them until the sign stops', () => {
    expect(
      sounding(note('C4', 2), note('D4', 2), style('start', '2') + rest(2), rest(2), style('stop') + rest(2)),
    ).toEqual(['60@0-2', '62@2-4', '60@4-6', '62@6-8'])
  })

  test('do not change a measure that has its notes written out', () => {
    expect(sounding(note('C4', 2), style('start', '1') + note('E4', 2), rest(2))).toEqual([
      '60@0-2',
      '64@2-4',
      '64@4-6',
    ])
  })

  test('apply to their own staff', () => {
    const leftHand = backup(2) + note('C3', 2, `${voice(5)}<staff>2</staff>`)
    expect(sounding(note('C4', 2) + leftHand, style('start', '1', 'number="2"') + note('E4', 2))).toEqual([
      '48@0-2',
      '60@0-2',
      '48@2-4',
      '64@2-4',
    ])
  })
})

describe('parts', () => {
  test('a score with too many notes in its repeats is refused, and the error names the measure', () => {
    const notes = note('C4', 1).repeat(1000)
    const score = miniScore(['', `${notes}<barline><repeat direction="backward" times="1000"/></barline>`])
    expect(() => timelineOf(score)).toThrowError(
      expect.objectContaining({ code: 'INVALID_MUSICXML', message: expect.stringContaining('at measure 2') }),
    )
  })

  test('a score that lasts more than a day is refused, and the error names the measure', () => {
    const slow = '<sound tempo="4"/>'
    const repeated = `${slow}${note('C4', 400)}<barline><repeat direction="backward" times="999"/></barline>`
    expect(() => timelineOf(miniScore([repeated]))).toThrowError(
      expect.objectContaining({
        code: 'INVALID_MUSICXML',
        message: expect.stringContaining('more than 24 hours, at measure 1'),
      }),
    )
  })
})
