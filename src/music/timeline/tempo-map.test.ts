import { describe, expect, test } from 'vitest'
import { direction, miniTimeline, note, temposOf, words } from '../testing/mini-score.ts'

const sound = (tempo: number, more = '') => `<sound tempo="${tempo}">${more}</sound>`
const wholeNote = note('C4', 4)
const backward = '<barline><repeat direction="backward"/></barline>'

function metronome(unit: string, perMinute: string): string {
  return direction(`<metronome>${unit}<per-minute>${perMinute}</per-minute></metronome>`)
}

/** `quarter:tempo` of a score of one part with these measures. */
function tempos(...measures: string[]): string[] {
  return temposOf(miniTimeline(measures))
}

describe('tempo', () => {
  test('is 120 by default', () => {
    expect(tempos(wholeNote)).toEqual(['0:120'])
  })

  test('comes from a sound, alone or in a direction, in any part, at its offset', () => {
    expect(tempos(sound(90) + wholeNote, words('dolce', sound(60)) + wholeNote)).toEqual(['0:90', '4:60'])
    expect(temposOf(miniTimeline([wholeNote, wholeNote], [wholeNote, sound(60) + wholeNote]))).toEqual([
      '0:120',
      '4:60',
    ])
    expect(tempos(wholeNote, sound(60, '<offset>2</offset>') + wholeNote)).toEqual(['0:120', '6:60'])
  })

  test.each([
    ['<beat-unit>quarter</beat-unit>', '96', 96],
    ['<beat-unit>half</beat-unit>', '60', 120],
    ['<beat-unit>eighth</beat-unit><beat-unit-dot/>', '80', 60],
    ['<beat-unit>quarter</beat-unit>', 'ca. 72', 72],
    ['<beat-unit>quarter</beat-unit>', '60–66', 63],
    ['<beat-unit>quarter</beat-unit>', 'M.M. 52,5', 53],
    [
      '<beat-unit>quarter</beat-unit><beat-unit-tied><beat-unit>eighth</beat-unit></beat-unit-tied>',
      '40',
      60,
    ],
  ])('comes from a metronome mark: %s = %s', (unit, perMinute, tempo) => {
    expect(tempos(metronome(unit, perMinute) + wholeNote)).toEqual([`0:${tempo}`])
  })

  test('of a sound has priority over a metronome mark, which has priority over words', () => {
    const mark = '<metronome><beat-unit>quarter</beat-unit><per-minute>100</per-minute></metronome>'
    expect(tempos(direction(mark, sound(98)) + wholeNote)).toEqual(['0:98'])
    expect(tempos(words('Adagio') + direction(mark) + wholeNote)).toEqual(['0:100'])
  })

  test('of a modulation keeps the length of the note value', () => {
    const modulation = direction(
      '<metronome><beat-unit>quarter</beat-unit><beat-unit>quarter</beat-unit><beat-unit-dot/></metronome>',
    )
    expect(tempos(sound(80) + wholeNote, modulation + wholeNote)).toEqual(['0:80', '4:120'])
  })

  test('of a modulation may be between single notes, and a swing sign changes nothing', () => {
    const metronomeNote = (type: string) =>
      `<metronome-note><metronome-type>${type}</metronome-type></metronome-note>`
    const relation = '<metronome-relation>equals</metronome-relation>'
    const modulation = direction(
      `<metronome>${metronomeNote('eighth')}${relation}${metronomeNote('quarter')}</metronome>`,
    )
    const swing = direction(
      `<metronome>${metronomeNote('eighth')}${metronomeNote('eighth')}${relation}${metronomeNote('quarter')}${metronomeNote('eighth')}</metronome>`,
    )
    expect(tempos(sound(80) + wholeNote, modulation + wholeNote, swing + wholeNote)).toEqual([
      '0:80',
      '4:160',
    ])
  })

  test('after a pickup applies from the start', () => {
    expect(tempos(note('C4', 1), sound(60) + wholeNote)).toEqual(['0:60'])
    expect(tempos(wholeNote, sound(60) + wholeNote)).toEqual(['0:120', '4:60'])
  })

  test('of a measure returns when the measure is repeated', () => {
    expect(tempos(wholeNote, sound(60) + wholeNote + backward, wholeNote)).toEqual([
      '0:120',
      '4:60',
      '8:120',
      '12:60',
    ])
  })

  test('determines the seconds of measures and of the whole score', () => {
    const timeline = miniTimeline([sound(60) + wholeNote, sound(120) + wholeNote])
    expect(timeline.measures.map(({ startSeconds }) => startSeconds)).toEqual([0, 4])
    expect(timeline.durationSeconds).toBe(6)
  })

  test('stays within the range of a MIDI file', () => {
    expect(
      tempos(
        sound(1) + wholeNote,
        direction('<metronome><beat-unit>maxima</beat-unit><per-minute>9999</per-minute></metronome>') +
          wholeNote,
      ),
    ).toEqual(['0:4', '4:10000'])
  })
})

describe('words', () => {
  test.each([
    ['Allegro', 128],
    ['Andante con moto', 84],
    ['Langsam', 60],
    ['Sehr langsam', 46],
    ['Mässig, nicht schleppend', 100],
    ['Lebhaft', 138],
    ['Très animé', 144],
    ['Lent.', 60],
    ['Largo doloroso', 48],
    ['Slower than before, but not by much', 102],
    ['Nicht schnell', 84],
    ['Nicht zu schnell', 112],
    ['Non allegro', 84],
    ['Non troppo allegro', 112],
    ['Allegro ma non troppo', 112],
    ['Allegro non tanto', 112],
    ['nicht zu langsam', 72],
    ['Pas trop lent', 72],
    ['Not too fast', 112],
    ['Andante, nicht zu langsam', 76],
    ['Allegro, senza rit.', 128],
    ['No. 5 Allegro', 128],
    ['Mäßiges Zeitmaß', 100],
    ['Fast', 128],
    ['Tempo 140', 140],
    ['Tempo = 96', 96],
    ['Fast swing', 128],
  ])('%s', (text, tempo) => {
    expect(tempos(words(text) + wholeNote)).toEqual([`0:${tempo}`])
  })

  test.each([
    'dolce',
    'cresc.',
    'largamente',
    'ritmico',
    'con espressione',
    '* presto, see the preface',
    'fast ohne Ton',
    'slow vibrato',
    'vib. lent',
    `Allegro ${'x'.repeat(60)}`,
  ])('that do not set the tempo: %s', (text) => {
    expect(tempos(words(text) + wholeNote)).toEqual(['0:120'])
  })

  test.each([
    ...['senza rit.', 'non rit.', 'senza accel.', 'senza rallentare', 'non ritenuto', 'non più mosso'],
    ...['sans ralentir', 'ne pas ralentir', 'sans rit.', 'ne cédez pas'],
    ...['ohne zu verlangsamen', 'nicht eilend', 'kein rit.', 'ohne rit. und accel.'],
    ...['without slowing down', 'no rit.', 'not slower', 'don’t slow down', 'sin rit.', 'sin ritardando'],
    ...['string. only', 'doppeltes Zeitmaß'],
  ])('that deny a change, or are about something else, keep the tempo: %s', (text) => {
    expect(tempos(sound(90) + wholeNote, words(text) + wholeNote, wholeNote)).toEqual(['0:90'])
  })

  test('that return to the tempo do so in German: im Zeitmaß', () => {
    for (const text of ['Zeitmaß', 'im Zeitmaß', 'im alten Zeitmaß'])
      expect(tempos(sound(100) + wholeNote, words('rit.') + wholeNote, words(text) + wholeNote).at(-1)).toBe(
        '8:100',
      )
  })

  test('a second rit. goes on where the first one is by then, and does not hurry it', () => {
    const half = note('C4', 2)
    const once = tempos(sound(100) + wholeNote, words('rit.') + wholeNote, words('a tempo') + wholeNote)
    const twice = tempos(
      sound(100) + wholeNote,
      words('rit.') + half + words('rit.') + half,
      words('a tempo') + wholeNote,
    )
    expect(twice.slice(0, 5)).toEqual(['0:100', '4:98', '4.5:97', '5:95', '5.5:94'])
    expect(twice.at(-2)).toBe('7.5:75')
    expect(once.at(-2)).toBe('7.5:75')
  })

  test('rit. slows down to the next mark, a tempo goes back', () => {
    expect(tempos(sound(100) + wholeNote, words('rit.') + wholeNote, words('a tempo') + wholeNote)).toEqual([
      '0:100',
      '4:97',
      '4.5:94',
      '5:91',
      '5.5:88',
      '6:84',
      '6.5:81',
      '7:78',
      '7.5:75',
      '8:100',
    ])
  })

  test('rit. ends with the next measure if nothing else ends it', () => {
    const slowing = tempos(sound(100) + wholeNote, words('molto rall.') + wholeNote, wholeNote, wholeNote)
    expect(slowing.at(-1)).toBe('11.5:60')
    expect(slowing).toHaveLength(17)
  })

  test('the tempo before a rit. returns if no mark follows within four measures', () => {
    const begin = [sound(100) + wholeNote, words('rit.') + wholeNote, wholeNote, wholeNote, wholeNote]
    expect(tempos(...begin, wholeNote, words('a tempo') + wholeNote).slice(-2)).toEqual(['11.5:75', '24:100'])
    expect(tempos(...begin, wholeNote, wholeNote, words('a tempo') + wholeNote).slice(-2)).toEqual([
      '11.5:75',
      '12:100',
    ])
    expect(tempos(...begin, wholeNote, wholeNote, wholeNote).slice(-2)).toEqual(['11.5:75', '12:100'])
    expect(tempos(...begin).at(-1)).toBe('11.5:75')
  })

  test('accel. speeds up', () => {
    expect(tempos(sound(100) + wholeNote, words('accel.') + wholeNote).at(-1)).toBe('7.5:125')
  })

  test('the same word in several parts counts once', () => {
    const part = [sound(100) + wholeNote, words('rit.') + wholeNote]
    expect(temposOf(miniTimeline(part, part))).toEqual(temposOf(miniTimeline(part)))
  })

  test('più mosso and meno mosso change the tempo, Tempo I goes back to the first one', () => {
    expect(
      tempos(sound(100) + wholeNote, words('più mosso') + wholeNote, words('Tempo I') + wholeNote),
    ).toEqual(['0:100', '4:118', '8:100'])
    expect(tempos(sound(100) + wholeNote, words('un poco meno mosso') + wholeNote)).toEqual(['0:100', '4:85'])
  })

  test('a tempo after meno mosso goes back to the tempo before it, and after its rit. to meno mosso', () => {
    const slower = [sound(100) + wholeNote, words('Meno mosso') + wholeNote]
    expect(tempos(...slower, words('a tempo') + wholeNote)).toEqual(['0:100', '4:85', '8:100'])
    const later = tempos(...slower, words('rit.') + wholeNote, words('a tempo') + wholeNote)
    expect(later.at(-1)).toBe('12:85')
  })

  test.each(['Doppio movimento', 'Double time'])('%s is twice as fast', (text) => {
    expect(tempos(sound(60) + wholeNote, words(text) + wholeNote)).toEqual(['0:60', '4:120'])
  })

  test.each([
    ['poco a poco più mosso', '7.5:125'],
    ['sempre più animato', '7.5:125'],
    ['gradually faster', '7.5:125'],
    ['immer langsamer', '7.5:75'],
    ['nach und nach ruhiger', '7.5:75'],
    ['de plus en plus lent', '7.5:75'],
  ])('%s changes the tempo bit by bit', (text, last) => {
    expect(tempos(sound(100) + wholeNote, words(text) + wholeNote).at(-1)).toBe(last)
  })

  const dashes = (type: string) => `<dashes type="${type}" number="2"/>`
  const opening = '<words>poco a poco accel.</words>'
  test.each([
    ['in its direction', direction(`${opening}</direction-type><direction-type>${dashes('start')}`)],
    ['after it', direction(opening) + direction(dashes('start'))],
  ])('dashes %s show where an accel. ends', (_, start) => {
    const changed = tempos(
      sound(100) + wholeNote,
      start + wholeNote,
      ...Array.from({ length: 5 }, () => wholeNote),
      direction(dashes('stop')) + words('Presto') + wholeNote,
    )
    expect(changed).toHaveLength(1 + 6 * 8 + 1)
    expect(changed[24]).toBe('15.5:113')
    expect(changed.slice(-2)).toEqual(['27.5:125', '28:168'])
  })

  test('ritenuto slows down immediately, until a tempo', () => {
    expect(
      tempos(sound(100) + wholeNote, words('poco riten.') + wholeNote, words('a tempo') + wholeNote),
    ).toEqual(['0:100', '4:88', '8:100'])
  })
})

describe('fermatas', () => {
  const fermata = (shape = '') => `<notations><fermata>${shape}</fermata></notations>`

  test('stretch the time under them once for all parts, by the shortest note there', () => {
    const timeline = miniTimeline(
      [sound(80) + note('C4', 2) + note('D4', 2, fermata()), wholeNote],
      [note('C3', 2) + note('D3', 1, fermata()) + note('E3', 1), wholeNote],
    )
    expect(temposOf(timeline)).toEqual(['0:80', '2:50', '3:80'])
  })

  test('that end together on notes of different lengths stretch only the shortest', () => {
    const last = note('C4', 3) + note('D4', 1, fermata())
    const timeline = miniTimeline([sound(80) + note('C4', 4, fermata()), wholeNote], [last, wholeNote])
    expect(temposOf(timeline)).toEqual(['0:80', '3:50', '4:80'])
  })

  test('are longer or shorter by their shape', () => {
    expect(tempos(sound(80) + note('C4', 2) + note('D4', 2, fermata('square')))).toEqual(['0:80', '2:40'])
    expect(tempos(sound(80) + note('C4', 2) + note('D4', 2, fermata('angled')))).toEqual(['0:80', '2:64'])
  })

  test('on a barline take the last quarter note before it', () => {
    const barline = '<barline location="right"><fermata/></barline>'
    expect(tempos(sound(80) + wholeNote + barline, wholeNote)).toEqual(['0:80', '3:50', '4:80'])
  })

  test('within a ritardando stretch the tempo of each step', () => {
    expect(
      tempos(
        sound(100) + wholeNote,
        words('rit.') + note('C4', 1) + note('C4', 1, fermata()),
        sound(100) + wholeNote,
      ),
    ).toEqual(['0:100', '4:94', '4.5:88', '5:51', '5.5:47', '6:100'])
  })
})
