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
  /** The General MIDI percussion key, 0–127. The nearest one if General MIDI has no key for the drum. */
  readonly midiNote: number
  /** Its place on the staff, as the pitch that a treble clef would show there. Defaults to the middle line. */
  readonly display?: string
  /** A notehead-value of MusicXML. Defaults to `normal`. */
  readonly notehead?: 'x' | 'circle-x' | 'diamond' | 'triangle'
}

/** The lowest and the highest pitch, such as `G3` and `Bb5`. C4 is the middle C. */
export type PitchRange = readonly [low: string, high: string]

/** An instrument of the tables in `content/instruments/`. A test checks that the files have this shape. */
export interface Instrument {
  readonly group: string
  readonly id: string
  /** The long name and the abbreviation before a staff, by language. */
  readonly names: Readonly<Record<InstrumentLanguage, readonly [long: string, short: string]>>
  /** Other names in scores. If several instruments have a name, sound, program and transposition decide. */
  readonly aliases: readonly string[]
  /** One clef for each staff, from the top. */
  readonly clefs: readonly Clef[]
  /** Lines of each staff. Defaults to five. */
  readonly staffLines?: number
  readonly transposition?: Transposition
  /**
   * The sounding pitches. `full` is what an experienced player reaches on a usual instrument, `comfortable` what a player
   * in the second or third year reaches. Absent for unpitched percussion.
   */
  readonly range?: { readonly full: PitchRange; readonly comfortable: PitchRange }
  /** A standard sound of MusicXML (MusicXML 4.0, sounds.xml). */
  readonly sound: string
  /** Further standard sounds of the instrument. Each one includes the sounds below it. */
  readonly otherSounds?: readonly string[]
  /** The General MIDI program, 0–127. For unpitched percussion, the kit on MIDI channel 10. */
  readonly program: number
  /** Further programs that mean the instrument in a file. */
  readonly otherPrograms?: readonly number[]
  /** The instruments of unpitched percussion, which is played on MIDI channel 10. */
  readonly drums?: readonly Drum[]
  /** The pitches of the open strings of a fretted instrument, from the bottom line of the tablature. */
  readonly tuning?: readonly string[]
}

/** A group of instruments as people look for them, with the name in each language. */
export interface InstrumentGroup {
  /** The name of its file in `content/instruments/`. */
  readonly id: string
  readonly names: Readonly<Record<InstrumentLanguage, string>>
  readonly instruments: readonly Instrument[]
}
