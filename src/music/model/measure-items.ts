import { child, childrenNamed, childText, type Element } from './document.ts'

/** A written pitch. */
export interface WrittenPitch {
  /** `A` to `G`. */
  readonly step: string
  /** Semitones by which the step is altered, such as -1 for a flat. */
  readonly alter: number
  /** 4 for the octave of middle C. */
  readonly octave: number
}

/** The written length of a note or rest: `quarter`, `16th`, as in MusicXML. Undefined if the file does not say it. */
export interface WrittenLength {
  readonly value?: string
  readonly dots?: number
}

/** Something that is written in a measure. */
export type MeasureItem =
  /** A note or a chord. Without a pitch, it is unpitched. */
  | (WrittenLength & {
      readonly type: 'notes'
      readonly pitches: WrittenPitch[]
      readonly isGrace?: true
      /** A tie holds the note from the one before. */
      readonly isHeld?: true
      /** The syllables, of each verse. */
      readonly lyrics?: readonly string[]
    })
  | (WrittenLength & { readonly type: 'rest'; readonly isWholeMeasure?: true })
  /** From here on, so many notes are played in the time of so many others. */
  | { readonly type: 'tuplet'; readonly notes: number; readonly inTimeOf: number }
  | { readonly type: 'key'; readonly fifths: number; readonly mode?: string }
  | { readonly type: 'time'; readonly meter: string }
  | (WrittenLength & { readonly type: 'tempo'; readonly text?: string; readonly perMinute?: string })
  | { readonly type: 'dynamics'; readonly mark: string }
  | { readonly type: 'wedge'; readonly change: string }
  | { readonly type: 'words' | 'rehearsal' | 'chordSymbol' | 'ending'; readonly text: string }
  | { readonly type: 'segno' | 'coda' | 'repeatStart' | 'repeatEnd' }

/** Returns the item of a `note`. Undefined for one that is hidden or a cue note. */
export function noteItemOf(note: Element): (MeasureItem & { type: 'notes' | 'rest' }) | undefined {
  if (note.attributes['print-object'] === 'no' || child(note, 'cue')) return undefined
  const value = childText(note, 'type')
  const dots = childrenNamed(note, 'dot').length
  const length = { ...(value && { value }), ...(dots && { dots }) }
  const rest = child(note, 'rest')
  if (rest) {
    const isWholeMeasure = rest.attributes.measure === 'yes' || !value
    return { type: 'rest', ...(isWholeMeasure ? { isWholeMeasure } : length) }
  }
  const pitch = child(note, 'pitch')
  const lyrics = childrenNamed(note, 'lyric').map(syllableOf).filter(Boolean)
  const isHeld = childrenNamed(note, 'tie').some(({ attributes }) => attributes.type === 'stop')
  return {
    type: 'notes',
    ...length,
    pitches: pitch ? [writtenPitch(pitch)] : [],
    ...(child(note, 'grace') && { isGrace: true }),
    ...(isHeld && { isHeld }),
    ...(lyrics.length > 0 && { lyrics }),
  }
}

/** Returns the tuplet that begins with a `note`, if one does. */
export function tupletOf(note: Element): (MeasureItem & { type: 'tuplet' }) | undefined {
  const ratio = child(note, 'time-modification')
  const begins = childrenNamed(note, 'notations').some(({ children }) =>
    children.some(({ name, attributes }) => name === 'tuplet' && attributes.type === 'start'),
  )
  if (!ratio || !begins) return undefined
  const notes = Number(childText(ratio, 'actual-notes'))
  const inTimeOf = Number(childText(ratio, 'normal-notes'))
  return notes > 0 && inTimeOf > 0 ? { type: 'tuplet', notes, inTimeOf } : undefined
}

const writtenPitch = (pitch: Element): WrittenPitch => ({
  step: childText(pitch, 'step') ?? '',
  alter: Number(childText(pitch, 'alter')) || 0,
  octave: Number(childText(pitch, 'octave')) || 0,
})

/** A hyphen says that the word goes on. */
function syllableOf(lyric: Element): string {
  const text = childrenNamed(lyric, 'text')
    .map((element) => element.text.trim())
    .join(' ')
  const goesOn = /^(begin|middle)$/.test(childText(lyric, 'syllabic') ?? '')
  return text && goesOn ? `${text}-` : text
}
