import { describe, expect, it } from 'vitest'
import { textsIn } from '../../../../src/texts/texts.ts'
import type { ScoreContents } from '../../../../src/music/model/measure-contents.ts'
import type { MeasureItem } from '../../../../src/music/model/measure-items.ts'
import { pitchName, tonicOf, toneName } from './note-names.ts'
import { spokenMeasure } from './spoken-measure.ts'

const pitch = (step: string, alter = 0, octave = 4) => ({ step, alter, octave })
const quarter = (step: string, alter = 0): MeasureItem => ({
  type: 'notes',
  value: 'quarter',
  pitches: [pitch(step, alter)],
})

/** The first measure of a piece for one instrument of one staff. */
const spoken = (language: string, items: MeasureItem[], signs: MeasureItem[] = []) =>
  spokenMeasure(
    textsIn(language),
    {
      parts: [{ uuid: 'p', name: 'Flute', staves: 1 }],
      measures: [{ uuid: 'm', number: '5', signs, parts: [[{ staff: 1, voices: [items] }]] }],
    },
    0,
    undefined,
  )

describe('the names of notes', () => {
  it.each([
    ['en', 'C4', 'F sharp 4', 'B flat 4', 'B4', 'E double flat 4'],
    ['de', 'C4', 'Fis 4', 'B4', 'H4', 'Eses 4'],
    ['fr', 'do 3', 'fa dièse 3', 'si bémol 3', 'si 3', 'mi double bémol 3'],
    ['es', 'do 4', 'fa sostenido 4', 'si bemol 4', 'si 4', 'mi doble bemol 4'],
  ])('are those of musicians who speak %s', (language, ...names) => {
    const pitches = [pitch('C'), pitch('F', 1), pitch('B', -1), pitch('B'), pitch('E', -2)]
    expect(pitches.map((one) => pitchName(textsIn(language), one))).toEqual(names)
  })

  it('are one word in German, also with accidentals', () => {
    const german = (step: string, alter: number) => toneName(textsIn('de'), step, alter)
    const steps = ['C', 'D', 'E', 'F', 'G', 'A', 'B']
    expect(steps.map((step) => german(step, 1))).toEqual(['Cis', 'Dis', 'Eis', 'Fis', 'Gis', 'Ais', 'His'])
    expect(steps.map((step) => german(step, -1))).toEqual(['Ces', 'Des', 'Es', 'Fes', 'Ges', 'As', 'B'])
    expect(steps.map((step) => german(step, -2))).toEqual([
      ...['Ceses', 'Deses', 'Eses', 'Feses', 'Geses', 'Asas', 'Heses'],
    ])
    expect(german('C', 2)).toBe('Cisis')
  })

  it('name quarter tones', () => {
    expect(toneName(textsIn('en'), 'A', -0.5)).toBe('A quarter tone flat')
    expect(toneName(textsIn('de'), 'A', 0.5)).toBe('A um einen Viertelton erhöht')
  })
})

it.each([
  [0, 'C A'],
  [2, 'D B'],
  [6, 'F♯ D♯'],
  [7, 'C♯ A♯'],
  [-1, 'F D'],
  [-3, 'E♭ C'],
  [-7, 'C♭ A♭'],
])('the tonics of %s fifths are %s', (fifths, expected) => {
  const name = ({ step, alter }: { step: string; alter: number }) =>
    step + (alter > 0 ? '♯' : alter < 0 ? '♭' : '')
  expect(`${name(tonicOf(fifths, false))} ${name(tonicOf(fifths, true))}`).toBe(expected)
})

describe('a measure in words', () => {
  const items: MeasureItem[] = [
    { type: 'key', fifths: 2, mode: 'minor' },
    { type: 'dynamics', mark: 'mf' },
    quarter('B', -1),
    { type: 'notes', value: 'half', dots: 1, pitches: [pitch('C'), pitch('E')], isHeld: true },
    { type: 'rest', value: 'eighth' },
  ]
  const signs: MeasureItem[] = [
    { type: 'time', meter: '3/4' },
    { type: 'tempo', text: 'Allegro', value: 'quarter', perMinute: '120' },
    { type: 'repeatStart' },
  ]

  it.each([
    [
      'en',
      'Measure 5. Time signature 3/4, tempo Allegro, quarter = 120, repeat begins. B minor, sharps in the key signature: 2, mezzo forte, B flat 4 quarter, chord C4 E4 dotted half held, eighth rest.',
    ],
    [
      'de',
      'Takt 5. Taktart 3/4, Tempo: Allegro, Viertel = 120, Wiederholung beginnt. h-Moll, Kreuze in den Vorzeichen: 2, mezzo forte, B4 Viertel, Akkord C4 E4 punktierte Halbe gehalten, Achtelpause.',
    ],
    [
      'fr',
      'Mesure 5. Mesure à 3/4, tempo : Allegro, noire = 120, début de la reprise. Si mineur, dièses à la clé : 2, mezzo forte, si bémol 3 noire, accord do 3 mi 3 blanche pointée tenu, demi-soupir.',
    ],
    [
      'es',
      'Compás 5. Compás de 3/4, tempo: Allegro, negra = 120, empieza la repetición. Si menor, sostenidos en la armadura: 2, mezzo forte, si bemol 4 negra, acorde do 4 mi 4 blanca con puntillo ligada, silencio de corchea.',
    ],
  ])('is complete in %s', (language, expected) => {
    expect(spoken(language, items, signs)).toBe(expected)
  })

  it('names lyrics, chord symbols, tuplets, grace notes and hairpins', () => {
    const text = spoken('en', [
      { type: 'chordSymbol', text: 'G7' },
      { type: 'wedge', change: 'crescendo' },
      { type: 'tuplet', notes: 3, inTimeOf: 2 },
      { type: 'notes', value: 'eighth', isGrace: true, pitches: [pitch('D')] },
      { ...quarter('C'), lyrics: ['Al-'] } as MeasureItem,
      { type: 'wedge', change: 'stop' },
      { type: 'rest', isWholeMeasure: true },
    ])
    expect(text).toBe(
      'Measure 5. Chord symbol G7, crescendo begins, 3 notes in the time of 2, D4 grace note, C4 quarter “Al-”, ' +
        'end of the hairpin, rest for the whole measure.',
    )
  })

  it('leaves out a length that has no name', () => {
    expect(spoken('en', [{ type: 'notes', value: '1024th', pitches: [pitch('C')] }, { type: 'rest' }])).toBe(
      'Measure 5. C4, rest.',
    )
  })

  const duo: ScoreContents = {
    parts: [
      { uuid: 'a', name: 'Flute', staves: 1 },
      { uuid: 'b', name: 'Piano', staves: 2 },
    ],
    measures: [
      {
        uuid: 'm',
        number: '1',
        signs: [],
        parts: [
          [{ staff: 1, voices: [[quarter('G')], [quarter('E')]] }],
          [
            { staff: 1, voices: [[quarter('C')]] },
            { staff: 2, voices: [[{ type: 'rest', value: 'quarter' }]] },
          ],
        ],
      },
    ],
  }

  it('names the part and the hand, and further voices', () => {
    expect(spokenMeasure(textsIn('en'), duo, 0, undefined)).toBe(
      'Measure 1. Flute: G4 quarter; voice 2: E4 quarter. Piano, right hand: C4 quarter. Piano, left hand: quarter rest.',
    )
  })

  it('is that of one part if one is chosen', () => {
    expect(spokenMeasure(textsIn('de'), duo, 0, 1)).toBe(
      'Takt 1. Rechte Hand: C4 Viertel. Linke Hand: Viertelpause.',
    )
  })
})
