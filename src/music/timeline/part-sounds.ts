import { childText, type Element } from '../model/document.ts'
import type { Instrument } from '../model/instruments/instrument.ts'
import { PERCUSSION_CHANNEL_NUMBER } from '../model/instruments/percussion-channel.ts'
import { recognizeInstrument } from '../model/instruments/recognition.ts'
import { drumKeyAt } from './drum-set.ts'
import { numberOf } from './written.ts'

/** The MIDI sound of an instrument of a part. */
export interface InstrumentSound {
  readonly id: string
  /** The standard sound of the instrument, for example `strings.violin` (MusicXML 4.0, sounds.xml). */
  readonly sound: string
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
  /** The entry of the instrument table for its unpitched notes. */
  readonly percussionInstrument: () => Instrument | undefined
}

export interface PartSounds {
  readonly id: string
  readonly name: string
  /** How many instruments the part names. */
  readonly instrumentCount: number
  /** The instrument with that id. Without an id, or if the id is unknown, the first one. */
  instrument(id: string | undefined): InstrumentSound
}

const nameless: Element = { name: 'score-part', attributes: {}, children: [], text: '' }
const channel = { ...nameless, name: 'midi-channel', text: `${PERCUSSION_CHANNEL_NUMBER}` }
const onPercussionChannel: Element = { ...nameless, name: 'midi-instrument', children: [channel] }

/**
 * The sounds of a part from its `score-part` (MusicXML 4.0, elements `score-instrument` and
 * `midi-instrument`). The instrument table completes a missing `midi-program` or `midi-unpitched`.
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
  const recognizeSound = (id: string): InstrumentSound => {
    const instrument = played.get(id)
    // Some files have a midi-instrument without a score-instrument.
    const itsMidi = instrument === undefined ? midi.values().next().value : midi.get(id)
    const described =
      instrument !== undefined && played.size > 1 ? aloneInPart(instrument, itsMidi) : scorePart
    const recognized = recognizeInstrument(described)
    const sound = {
      ...soundOf(id, itsMidi, recognized),
      percussionInstrument: percussionOf(described, recognized),
    }
    return isStandIn(instrument, sound) ? { ...sound, program: vocalProgramOf(recognized) } : sound
  }
  const name =
    childText(scorePart, 'part-name') || (firstInstrument && childText(firstInstrument, 'instrument-name'))
  return {
    id: partId,
    name: name?.replace(/\s+/g, ' ') || `Part ${place}`,
    instrumentCount: played.size,
    instrument(id = firstId) {
      const soundId = played.has(id) ? id : firstId
      const sound = known.get(soundId) ?? recognizeSound(soundId)
      known.set(soundId, sound)
      return sound
    },
  }
}

/**
 * A name can mean a pitched and an unpitched instrument: the timbales of an orchestra are timpani. An unpitched note
 * decides, so it is only looked up for one.
 */
function percussionOf(described: Element, recognized: Instrument): () => Instrument {
  let found = recognized.drums && recognized
  return () => {
    found ??= recognizeInstrument({ ...described, children: [onPercussionChannel, ...described.children] })
    return found
  }
}

/** One of several instruments, recognized without the name of the part. */
function aloneInPart(instrument: Element, midi: Element | undefined): Element {
  const name = { ...nameless, name: 'part-name', text: childText(instrument, 'instrument-name') ?? '' }
  return { ...nameless, children: midi === undefined ? [name, instrument] : [name, instrument, midi] }
}

/** The key of an `unpitched` note: that of its instrument, or of the drum at its place on the staff. */
export function unpitchedKeyOf(
  note: Element,
  unpitched: Element | undefined,
  sound: InstrumentSound,
): number {
  if (sound.unpitchedKey !== undefined) return sound.unpitchedKey
  const place = {
    step: unpitched && childText(unpitched, 'display-step'),
    octave: unpitched && numberOf(childText(unpitched, 'display-octave')),
    notehead: childText(note, 'notehead'),
  }
  return drumKeyAt(place, sound.percussionInstrument())
}

/** The sound after a `midi-instrument` in the middle of the score (element `sound`). */
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
  midi: Element | undefined,
  recognized: Instrument,
): Omit<InstrumentSound, 'percussionInstrument'> {
  const unpitched = midi && numberOf(childText(midi, 'midi-unpitched'))
  const drums = recognized.drums ?? []
  return {
    id,
    sound: recognized.sound,
    program: (midi && programOf(midi)) ?? recognized.program,
    bank: midi && bankOf(midi),
    volume: midi && volumeOf(midi),
    pan: midi && panOf(midi),
    percussion: midi !== undefined && numberOf(childText(midi, 'midi-channel')) === PERCUSSION_CHANNEL_NUMBER,
    // `midi-unpitched` counts from 1. Among several drums, the place on the staff decides.
    unpitchedKey:
      unpitched !== undefined ? clamp(unpitched - 1) : drums.length === 1 ? drums[0]?.midiNote : undefined,
  }
}

/** The General MIDI programs of reeds and pipes, and of a choir. */
const WINDS = { first: 64, last: 79 }
const CHOIR = 52

/**
 * Whether a wind instrument stands in for a singer: many files name a voice and the program of an oboe. Any other
 * program, such as a piano for practicing, is a choice.
 */
function isStandIn(instrument: Element | undefined, { program }: InstrumentSound): boolean {
  const isWind = program >= WINDS.first && program <= WINDS.last
  return isWind && instrument !== undefined && isVoice(childText(instrument, 'instrument-sound'))
}

function vocalProgramOf({ sound, program }: Instrument): number {
  return isVoice(sound) ? program : CHOIR
}

const isVoice = (sound: string | undefined) => sound?.startsWith('voice.') === true

/** `midi-program` counts from 1. */
function programOf(midi: Element): number | undefined {
  const program = numberOf(childText(midi, 'midi-program'))
  return program === undefined ? undefined : clamp(program - 1)
}

/** `midi-bank` counts from 1. */
function bankOf(midi: Element): number | undefined {
  const bank = numberOf(childText(midi, 'midi-bank'))
  return bank === undefined ? undefined : clamp(bank - 1, 16_383)
}

/** `volume` is a percentage. */
function volumeOf(midi: Element): number | undefined {
  const volume = numberOf(childText(midi, 'volume'))
  return volume === undefined ? undefined : clamp((volume * 127) / 100)
}

/** `pan` is in degrees: -90 is left, 0 front, 90 right. Sounds from behind keep their side. */
function panOf(midi: Element): number | undefined {
  const degrees = numberOf(childText(midi, 'pan'))
  if (degrees === undefined) return undefined
  const side = Math.abs(degrees) <= 90 ? degrees : Math.sign(degrees) * (180 - Math.abs(degrees))
  return clamp(64 + (side * 64) / 90)
}

function clamp(value: number, most = 127): number {
  return Math.min(most, Math.max(0, Math.round(value)))
}
