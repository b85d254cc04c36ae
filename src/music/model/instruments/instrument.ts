/** The languages in which the table names its instruments. */
export type InstrumentLanguage = 'en' | 'fr' | 'de' | 'es'

export interface Clef {
  readonly sign: 'G' | 'F' | 'C' | 'percussion'
  /** The line of the staff on which the sign is placed, counted from the bottom. */
  readonly line?: number
  /** Octaves between the pitch that the sign alone would mean and the sounding pitch. */
  readonly octaveChange?: number
}

/** From written to sounding pitch, as in MusicXML's `transpose`. */
export interface Transposition {
  readonly chromatic: number
  readonly diatonic: number
  readonly octaveChange?: number
}

/** One of the percussion instruments that a player strikes. */
export interface Drum {
  readonly name: string
  readonly sound: string
  /** The General MIDI percussion key, 0–127. */
  readonly midiNote: number
}

/** An instrument of the tables in `content/instruments/`. A test checks that the files have this shape. */
export interface Instrument {
  readonly group: string
  readonly id: string
  /** The long name and the abbreviation before a staff, by language. */
  readonly names: Readonly<Record<InstrumentLanguage, readonly [long: string, short: string]>>
  /** Other names in scores. If several instruments have a name, sound and program decide. */
  readonly aliases: readonly string[]
  /** One clef for each staff, from the top. */
  readonly clefs: readonly Clef[]
  /** Lines of each staff. Defaults to five. */
  readonly staffLines?: number
  readonly transposition?: Transposition
  /** A standard sound of MusicXML (MusicXML 4.0, sounds.xml). */
  readonly sound: string
  /** Further standard sounds of the instrument. Each one includes the sounds below it. */
  readonly otherSounds?: readonly string[]
  /** The General MIDI program, 0–127. */
  readonly program: number
  /** The instruments of unpitched percussion, which is played on MIDI channel 10. */
  readonly drums?: readonly Drum[]
  /** The pitches of the open strings of a fretted instrument, from the bottom line of the tablature. */
  readonly tuning?: readonly string[]
}
