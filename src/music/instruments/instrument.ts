/** The languages in which the table names its instruments. */
export type InstrumentLanguage = 'en' | 'fr' | 'de' | 'es'

export interface Clef {
  readonly sign: 'G' | 'F' | 'C' | 'percussion'
  /** The staff line on which the sign stands, counted from the bottom. */
  readonly line?: number
  /** Octaves by which a note sounds away from what the sign alone would say. */
  readonly octaveChange?: number
}

/** From written to sounding pitch, as MusicXML's `transpose` has it. */
export interface Transposition {
  readonly chromatic: number
  readonly diatonic: number
  readonly octaveChange?: number
}

/** One of the things that a player of unpitched percussion strikes. */
export interface Drum {
  readonly name: string
  readonly sound: string
  /** General MIDI percussion key, 0–127. */
  readonly midiNote: number
}

export interface Instrument {
  readonly group: string
  readonly id: string
  /** Long name and abbreviation, as they stand before a staff. */
  readonly names: Readonly<Record<InstrumentLanguage, readonly [long: string, short: string]>>
  /** What else scores call it. A name that several instruments claim is settled by sound and program. */
  readonly aliases: readonly string[]
  /** One clef a staff, from the top. */
  readonly clefs: readonly Clef[]
  /** Lines of each staff; five where it says nothing. */
  readonly staffLines?: number
  readonly transposition?: Transposition
  /** MusicXML standard sound (MusicXML 4.0, sounds.xml). */
  readonly sound: string
  /** Standard sounds that mean this instrument as well, each with everything below it. */
  readonly otherSounds?: readonly string[]
  /** General MIDI program, 0–127. */
  readonly program: number
  /** Only for unpitched percussion, which is played on MIDI channel 10. */
  readonly drums?: readonly Drum[]
  /** Pitches of the open strings of a fretted instrument, from the bottom line of the tablature. */
  readonly tuning?: readonly string[]
}

export const treble: Clef = { sign: 'G', line: 2 }
export const trebleOctaveBelow: Clef = { sign: 'G', line: 2, octaveChange: -1 }
export const alto: Clef = { sign: 'C', line: 3 }
export const bass: Clef = { sign: 'F', line: 4 }
export const bassOctaveBelow: Clef = { sign: 'F', line: 4, octaveChange: -1 }
export const unpitched: Clef = { sign: 'percussion' }
