import { child, childrenNamed, childText, type Element } from '../document.ts'
import type { Instrument } from '../instruments/instrument.ts'
import { recognizeInstrument } from '../instruments.ts'
import { drumKeyAt } from './drum-set.ts'
import { numberOf } from './written.ts'

/** An instrument of a part as MIDI knows it. */
export interface InstrumentSound {
  readonly id: string
  /** General MIDI, 0–127. */
  readonly program: number
  /** 0–16,383. */
  readonly bank: number | undefined
  /** 0–127, as controller 7 takes it. */
  readonly volume: number | undefined
  /** 0–127, as controller 10 takes it: 64 is the middle. */
  readonly pan: number | undefined
  readonly percussion: boolean
  /** The key that it has on the percussion channel. */
  readonly unpitchedKey: number | undefined
}

export interface PartSounds {
  readonly id: string
  readonly name: string
  /** By the id of the score-instrument. */
  readonly instruments: ReadonlyMap<string, InstrumentSound>
  /** What plays the notes that name no instrument. */
  readonly first: InstrumentSound
}

const PERCUSSION_CHANNEL = 10
const nameless: Element = { name: 'score-part', attributes: {}, children: [], text: '' }

/**
 * What a part sounds like, by its `score-part` (MusicXML 4.0, elements `score-instrument` and `midi-instrument`).
 * Without a `midi-program` or a `midi-unpitched`, it is what the instrument table has for it.
 */
export function partSoundsOf(scorePart: Element = nameless, partId: string, place: number): PartSounds {
  const played = childrenNamed(scorePart, 'score-instrument')
  const instruments = new Map<string, InstrumentSound>()
  for (const instrument of played) {
    const { id = '' } = instrument.attributes
    const midi = scorePart.children.find(({ name, attributes }) => name === 'midi-instrument' && attributes.id === id)
    const described = played.length > 1 ? aloneInPart(instrument, midi) : scorePart
    instruments.set(id, soundOf(id, midi, recognizeInstrument(described)))
  }
  // Some files without a score-instrument still say how their part sounds.
  const first =
    instruments.values().next().value ??
    soundOf('', child(scorePart, 'midi-instrument'), recognizeInstrument(scorePart))
  const name = childText(scorePart, 'part-name') || (played[0] && childText(played[0], 'instrument-name'))
  return { id: partId, name: name?.replace(/\s+/g, ' ') || `Part ${place}`, instruments, first }
}

/** One of several instruments, as if the part were its own: the name of the part tells nothing about it. */
function aloneInPart(instrument: Element, midi: Element | undefined): Element {
  const name = { ...nameless, name: 'part-name', text: childText(instrument, 'instrument-name') ?? '' }
  return { ...nameless, children: midi === undefined ? [name, instrument] : [name, instrument, midi] }
}

/** The key of an `unpitched` note: of its instrument, else by where a drum set has it on the staff. */
export function unpitchedKeyOf(unpitched: Element, instrument: InstrumentSound): number {
  if (instrument.unpitchedKey !== undefined) return instrument.unpitchedKey
  return drumKeyAt(childText(unpitched, 'display-step'), numberOf(childText(unpitched, 'display-octave')))
}

/** What a `midi-instrument` in the middle of the score makes of the sound before it (element `sound`). */
export function soundAfter(before: InstrumentSound, midi: Element): InstrumentSound {
  return {
    ...before,
    program: programOf(midi) ?? before.program,
    bank: bankOf(midi) ?? before.bank,
    volume: volumeOf(midi) ?? before.volume,
    pan: panOf(midi) ?? before.pan,
  }
}

function soundOf(id: string, midi: Element | undefined, recognized: Instrument): InstrumentSound {
  const unpitched = midi && numberOf(childText(midi, 'midi-unpitched'))
  const drums = recognized.drums ?? []
  return {
    id,
    program: (midi && programOf(midi)) ?? recognized.program,
    bank: midi && bankOf(midi),
    volume: midi && volumeOf(midi),
    pan: midi && panOf(midi),
    percussion: midi !== undefined && numberOf(childText(midi, 'midi-channel')) === PERCUSSION_CHANNEL,
    // `midi-unpitched` counts from 1. Of a drum set, the place on the staff tells which drum is meant.
    unpitchedKey: unpitched !== undefined ? within(unpitched - 1) : drums.length === 1 ? drums[0]?.midiNote : undefined,
  }
}

/** `midi-program` counts from 1. */
function programOf(midi: Element): number | undefined {
  const program = numberOf(childText(midi, 'midi-program'))
  return program === undefined ? undefined : within(program - 1)
}

/** `midi-bank` counts from 1. */
function bankOf(midi: Element): number | undefined {
  const bank = numberOf(childText(midi, 'midi-bank'))
  return bank === undefined ? undefined : within(bank - 1, 16_383)
}

/** `volume` is a percentage. */
function volumeOf(midi: Element): number | undefined {
  const volume = numberOf(childText(midi, 'volume'))
  return volume === undefined ? undefined : within((volume * 127) / 100)
}

/** `pan` is in degrees: -90 left, 0 in front, 90 right; what is behind sounds from the same side. */
function panOf(midi: Element): number | undefined {
  const degrees = numberOf(childText(midi, 'pan'))
  if (degrees === undefined) return undefined
  const side = Math.abs(degrees) <= 90 ? degrees : Math.sign(degrees) * (180 - Math.abs(degrees))
  return within(64 + (side * 64) / 90)
}

function within(value: number, most = 127): number {
  return Math.min(most, Math.max(0, Math.round(value)))
}
