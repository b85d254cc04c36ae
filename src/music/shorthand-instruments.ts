import type { Clef } from './shorthand.ts'

interface Instrument {
  name: string
  abbreviation: string
  /** MusicXML's sounds.xml. */
  sound: string
  /** General MIDI, from 1. */
  program: number
  clefs: readonly Clef[]
  /** What is written is so much above what sounds (negative numbers in MusicXML), and in a key of so many more fifths. */
  transpose?: { diatonic: number; chromatic: number; fifths: number }
  /** Key of the General MIDI drum map, from 1. */
  unpitched?: number
}

const inBFlat = { diatonic: -1, chromatic: -2, fifths: 2 }

const shorthandInstruments = {
  piano: { name: 'Piano', abbreviation: 'Pno.', sound: 'keyboard.piano', program: 1, clefs: ['treble', 'bass'] },
  voice: { name: 'Voice', abbreviation: 'V.', sound: 'voice.vocals', program: 54, clefs: ['treble'] },
  soprano: { name: 'Soprano', abbreviation: 'S.', sound: 'voice.soprano', program: 53, clefs: ['treble'] },
  alto: { name: 'Alto', abbreviation: 'A.', sound: 'voice.alto', program: 53, clefs: ['treble'] },
  tenor: { name: 'Tenor', abbreviation: 'T.', sound: 'voice.tenor', program: 53, clefs: ['bass'] },
  bass: { name: 'Bass', abbreviation: 'B.', sound: 'voice.bass', program: 53, clefs: ['bass'] },
  flute: { name: 'Flute', abbreviation: 'Fl.', sound: 'wind.flutes.flute', program: 74, clefs: ['treble'] },
  clarinet: {
    name: 'Clarinet in B♭',
    abbreviation: 'Cl.',
    sound: 'wind.reed.clarinet.bflat',
    program: 72,
    clefs: ['treble'],
    transpose: inBFlat,
  },
  trumpet: {
    name: 'Trumpet in B♭',
    abbreviation: 'Tpt.',
    sound: 'brass.trumpet.bflat',
    program: 57,
    clefs: ['treble'],
    transpose: inBFlat,
  },
  trombone: { name: 'Trombone', abbreviation: 'Tbn.', sound: 'brass.trombone', program: 58, clefs: ['bass'] },
  violin: { name: 'Violin', abbreviation: 'Vln.', sound: 'strings.violin', program: 41, clefs: ['treble'] },
  viola: { name: 'Viola', abbreviation: 'Vla.', sound: 'strings.viola', program: 42, clefs: ['alto'] },
  cello: { name: 'Violoncello', abbreviation: 'Vc.', sound: 'strings.cello', program: 43, clefs: ['bass'] },
  claps: {
    name: 'Hand Clap',
    abbreviation: 'Clap',
    sound: 'effect.hand-clap',
    program: 1,
    clefs: ['percussion'],
    unpitched: 40,
  },
  snare: {
    name: 'Snare Drum',
    abbreviation: 'S. D.',
    sound: 'drum.snare-drum',
    program: 1,
    clefs: ['percussion'],
    unpitched: 39,
  },
} as const satisfies Record<string, Instrument>

/** What a part of a score in shorthand can be for. */
export type ShorthandInstrument = keyof typeof shorthandInstruments

export const instrumentOf = (name: ShorthandInstrument): Instrument => shorthandInstruments[name]
