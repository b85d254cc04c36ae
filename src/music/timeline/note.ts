import { child, childText, type Element } from '../model/document.ts'
import { FORTE_VELOCITY } from '../model/dynamic-levels.ts'
import { articulationOf, stretchOf } from './articulations.ts'
import { lyricOf } from './lyrics.ts'
import { type InstrumentSound, type PartSounds, unpitchedKeyOf } from './part-sounds.ts'
import {
  keyInRange,
  type SoundingPitch,
  soundingPitchOf,
  type Transpositions,
  transpositionAt,
} from './pitch.ts'
import { retunedBy, type Scordatura } from './scordatura.ts'
import { tableOf } from './table.ts'
import {
  type Arpeggio,
  type GraceNote,
  numberOf,
  timeOnlyOf,
  type WrittenLyric,
  type WrittenNote,
} from './written.ts'

/** The properties of a note element that do not depend on its position. */
export interface NoteElement {
  readonly element: Element
  readonly voice: string
  readonly staff: number
  readonly inChord: boolean
  readonly grace: GraceNote | undefined
  /** A rest, or a cue note: that is a silent note (MusicXML 4.0, element `cue`). */
  readonly isSilent: boolean
  /** In ticks, not rounded; 0 for a grace note. */
  readonly duration: number
  /** The factor of a fermata. 1 without one. */
  readonly stretch: number
}

/** The state of the part at the position of a note. */
export interface NoteContext {
  readonly ticksPerQuarter: number
  readonly ticksPerDivision: number
  readonly transpositions: Transpositions
  readonly scordatura: Scordatura
  readonly sounds: PartSounds
}

/** Reads the voice, staff and duration of a note (MusicXML 4.0, element `note`). */
export function readNoteElement(element: Element, context: NoteContext): NoteElement {
  let voice = '1'
  let staff = 1
  let inChord = false
  let grace: Element | undefined
  let isSilent = false
  let duration = 0
  let stretch = 1
  for (const part of element.children) {
    switch (part.name) {
      case 'voice':
        voice = part.text.trim()
        break
      case 'staff':
        staff = numberOf(part.text) ?? 1
        break
      case 'chord':
        inChord = true
        break
      case 'grace':
        grace = part
        break
      case 'rest':
      case 'cue':
        isSilent = true
        break
      case 'duration':
        duration = (numberOf(part.text) ?? 0) * context.ticksPerDivision
        break
      case 'notations':
        for (const sign of part.children)
          if (sign.name === 'fermata') stretch = Math.max(stretch, stretchOf(sign))
        break
    }
  }
  return {
    element,
    voice,
    staff,
    inChord,
    grace: grace && graceOf(grace, element, context),
    isSilent,
    duration: grace === undefined ? duration : 0,
    stretch,
  }
}

/**
 * The sounding note, two if the part is doubled at the octave (`double` of `transpose`), or none for a silent
 * one.
 */
export function writtenNotesOf(note: NoteElement, at: number, context: NoteContext): WrittenNote[] {
  const { element, staff } = note
  const pitch = child(element, 'pitch')
  const unpitched = child(element, 'unpitched')
  if (note.isSilent || (pitch === undefined && unpitched === undefined)) return []
  const instrumentId = child(element, 'instrument')?.attributes.id
  const instrument = context.sounds.instrument(instrumentId)
  const transposition = transpositionAt(context.transpositions, staff)
  const sounding = pitch
    ? pitchOn(
        instrument,
        soundingPitchOf(pitch, transposition.semitones + retunedBy(element, context.scordatura)),
      )
    : { key: unpitchedKeyOf(element, unpitched, instrument), bend: 0 }
  const written = writtenNoteOf(note, at, sounding, context, {
    percussion: pitch === undefined || instrument.percussion,
    instrument: instrument.id,
  })
  if (transposition.doubledAt === undefined || written.percussion) return [written]
  return [
    written,
    { ...written, key: keyInRange(written.key + transposition.doubledAt), inChord: true, lyrics: [] },
  ]
}

/** An instrument on the percussion channel has one key, whatever the line of its notes. */
function pitchOn(instrument: InstrumentSound, pitch: SoundingPitch): SoundingPitch {
  if (!instrument.percussion || instrument.unpitchedKey === undefined) return pitch
  return { key: instrument.unpitchedKey, bend: 0 }
}

function writtenNoteOf(
  note: NoteElement,
  at: number,
  pitch: SoundingPitch,
  context: NoteContext,
  channel: { percussion: boolean; instrument: string },
): WrittenNote {
  const { attributes, children } = note.element
  const lyrics: WrittenLyric[] = []
  const ties: Element[] = []
  const tied: Element[] = []
  let articulation = { gate: 1, accent: 0 }
  let arpeggio: Arpeggio | undefined
  let isTogether = false
  let signs: Element[] | undefined
  for (const part of children) {
    if (part.name === 'tie') ties.push(part)
    else if (part.name === 'lyric') {
      const lyric = lyricOf(part, lyrics.length + 1)
      if (lyric !== undefined) lyrics.push(lyric)
    } else if (part.name === 'notations') {
      for (const sign of part.children) {
        if (sign.name === 'tied') tied.push(sign)
        else if (sign.name === 'articulations') articulation = articulationOf(sign, articulation)
        else if (sign.name === 'arpeggiate') arpeggio = arpeggioOf(sign)
        else if (sign.name === 'non-arpeggiate') isTogether = true
        else if (ornamentalSigns.has(sign.name)) {
          signs ??= []
          signs.push(sign)
        }
      }
    }
  }
  // `tie` is the sound and `tied` the sign; a file that has only signs means them.
  const sounding = ties.length > 0 ? ties : tied
  const ticks = (name: string) => {
    const moved = (numberOf(attributes[name]) ?? 0) * context.ticksPerDivision
    return Math.round(Math.max(-note.duration, Math.min(note.duration, moved)))
  }
  const end = Math.round(at + note.duration)
  const start = Math.round(at)
  return {
    at: start,
    duration: end - start,
    start: start + ticks('attack'),
    end: end + ticks('release'),
    swingDelay: 0,
    gate: articulation.gate,
    key: pitch.key,
    bend: pitch.bend,
    percussion: channel.percussion,
    voice: note.voice,
    staff: note.staff,
    inChord: note.inChord,
    tieStart: sounding.some(({ attributes: { type } }) => type === 'start' || type === 'continue'),
    tieStop: sounding.some(({ attributes: { type } }) => type === 'stop' || type === 'continue'),
    letRing: [...ties, ...tied].some(({ attributes: { type } }) => type === 'let-ring'),
    accent: articulation.accent,
    ownVelocity: velocityOfPercent(attributes.dynamics),
    velocity: FORTE_VELOCITY,
    releaseVelocity: velocityOfPercent(attributes['end-dynamics']),
    instrument: channel.instrument,
    timeOnly: timeOnlyOf(note.element),
    lyrics,
    arpeggio: isTogether ? undefined : arpeggio,
    element: note.element,
    isWrittenHere: true,
    signs,
    ornament: undefined,
    grace: note.grace,
    cutsPrevious: undefined,
  }
}

const ornamentalSigns = new Set(['ornaments', 'glissando', 'slide'])

/** The MIDI velocity of a percentage of forte, 1–127. Undefined without a percentage. */
export function velocityOfPercent(percent: string | undefined): number | undefined {
  const value = numberOf(percent)
  return value === undefined
    ? undefined
    : Math.min(127, Math.max(1, Math.round((value * FORTE_VELOCITY) / 100)))
}

function arpeggioOf(sign: Element): Arpeggio {
  return { number: sign.attributes.number ?? '1', downwards: sign.attributes.direction === 'down' }
}

function graceOf(grace: Element, note: Element, context: NoteContext): GraceNote {
  const makeTime = numberOf(grace.attributes['make-time'])
  const quarters = quartersOf(childText(note, 'type') ?? 'eighth') ?? 0.5
  return {
    slash: grace.attributes.slash === 'yes',
    typeTicks: quarters * context.ticksPerQuarter,
    stealPrevious: percentOf(grace.attributes['steal-time-previous']),
    stealFollowing: percentOf(grace.attributes['steal-time-following']),
    makeTime:
      makeTime === undefined
        ? undefined
        : Math.min(Math.max(0, makeTime * context.ticksPerDivision), LONGEST_GRACE * context.ticksPerQuarter),
  }
}

/** In quarter notes; a grace note of a whole note is none. */
const LONGEST_GRACE = 4

function percentOf(text: string | undefined): number | undefined {
  const percent = numberOf(text)
  return percent === undefined ? undefined : Math.min(100, Math.max(0, percent))
}

const noteValues = tableOf<number>({
  maxima: 32,
  long: 16,
  breve: 8,
  whole: 4,
  half: 2,
  quarter: 1,
  eighth: 0.5,
})

/**
 * The quarter notes of a note value (MusicXML 4.0, data type note-type-value). Undefined for an unknown one.
 */
export function quartersOf(noteType: string): number | undefined {
  const fraction = /^(\d+)(?:th|nd)$/.exec(noteType)
  return noteValues.get(noteType) ?? (fraction ? 4 / Number(fraction[1]) : undefined)
}
