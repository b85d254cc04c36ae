import { child, childrenNamed, childText, type Element } from '../document.ts'
import { drumKeyAt, drumKeyOf, programOfSound } from './general-midi.ts'
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

/**
 * What a part sounds like, by its `score-part` (MusicXML 4.0, elements `score-instrument`, `instrument-sound`,
 * `midi-instrument`). Without a `midi-program`, `instrument-sound` tells the program, else the instrument's or the
 * part's name, else it is a piano.
 */
export function partSoundsOf(scorePart: Element | undefined, partId: string, place: number): PartSounds {
  const name = (scorePart && childText(scorePart, 'part-name')?.replace(/\s+/g, ' ')) || undefined
  const instruments = new Map<string, InstrumentSound>()
  for (const instrument of scorePart ? childrenNamed(scorePart, 'score-instrument') : []) {
    const id = instrument.attributes.id ?? ''
    const midi = scorePart?.children.find((one) => one.name === 'midi-instrument' && one.attributes.id === id)
    instruments.set(id, soundOf(id, instrument, midi, name))
  }
  // Files without any score-instrument still may say how their part sounds.
  const loneMidi = instruments.size === 0 && scorePart ? child(scorePart, 'midi-instrument') : undefined
  const first = instruments.values().next().value ?? soundOf('', undefined, loneMidi, name)
  return { id: partId, name: name ?? instrumentNameOf(scorePart) ?? `Part ${place}`, instruments, first }
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

function soundOf(
  id: string,
  instrument: Element | undefined,
  midi: Element | undefined,
  partName: string | undefined,
): InstrumentSound {
  const sound = instrument && childText(instrument, 'instrument-sound')
  const names = [sound, instrument && childText(instrument, 'instrument-name'), partName]
  const unpitched = midi && numberOf(childText(midi, 'midi-unpitched'))
  const isPercussion = midi !== undefined && numberOf(childText(midi, 'midi-channel')) === PERCUSSION_CHANNEL
  return {
    id,
    program: (midi && programOf(midi)) ?? firstOf(names, programOfSound) ?? 0,
    bank: midi && bankOf(midi),
    volume: midi && volumeOf(midi),
    pan: midi && panOf(midi),
    percussion: isPercussion,
    unpitchedKey: unpitched === undefined ? firstOf(names, drumKeyOf) : within(unpitched - 1),
  }
}

function firstOf(names: (string | undefined)[], find: (name: string) => number | undefined): number | undefined {
  for (const name of names) {
    const found = name === undefined ? undefined : find(name)
    if (found !== undefined) return found
  }
  return undefined
}

function instrumentNameOf(scorePart: Element | undefined): string | undefined {
  const instrument = scorePart && child(scorePart, 'score-instrument')
  return (instrument && childText(instrument, 'instrument-name')) || undefined
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
