import { childText, type Element } from '../document.ts'
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
  /** How many instruments the part names. */
  readonly instrumentCount: number
  /** The instrument of that id, the first one where there is none or no id. */
  instrument(id: string | undefined): InstrumentSound
}

const PERCUSSION_CHANNEL = 10
const nameless: Element = { name: 'score-part', attributes: {}, children: [], text: '' }

/**
 * What a part sounds like, by its `score-part` (MusicXML 4.0, elements `score-instrument` and `midi-instrument`).
 * Without a `midi-program` or a `midi-unpitched`, it is what the instrument table has for it.
 */
export function partSoundsOf(scorePart: Element = nameless, partId: string, place: number): PartSounds {
  const played = new Map<string, Element>()
  const midi = new Map<string, Element>()
  for (const element of scorePart.children) {
    const { id = '' } = element.attributes
    if (element.name === 'score-instrument' && !played.has(id)) played.set(id, element)
    else if (element.name === 'midi-instrument' && !midi.has(id)) midi.set(id, element)
  }
  const [firstId = ''] = played.keys()
  const firstInstrument = played.get(firstId)
  const known = new Map<string, InstrumentSound>()
  const recognized = (id: string): InstrumentSound => {
    const instrument = played.get(id)
    // Some files without a score-instrument still say how their part sounds.
    const itsMidi = instrument === undefined ? midi.values().next().value : midi.get(id)
    const described = instrument !== undefined && played.size > 1 ? aloneInPart(instrument, itsMidi) : scorePart
    return soundOf(id, itsMidi, recognizeInstrument(described))
  }
  const name = childText(scorePart, 'part-name') || (firstInstrument && childText(firstInstrument, 'instrument-name'))
  return {
    id: partId,
    name: name?.replace(/\s+/g, ' ') || `Part ${place}`,
    instrumentCount: played.size,
    instrument(id = firstId) {
      const wanted = played.has(id) ? id : firstId
      const sound = known.get(wanted) ?? recognized(wanted)
      known.set(wanted, sound)
      return sound
    },
  }
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
