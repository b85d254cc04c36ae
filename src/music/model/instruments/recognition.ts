import { child, childrenNamed, childText, type Element } from '../document.ts'
import type { Instrument } from './instrument.ts'
import { exactPoints, kindOf, nameWeights, pointsOfName } from './name-index.ts'
import { PERCUSSION_CHANNEL_NUMBER } from './percussion-channel.ts'
import { findInstrumentByKey, instruments, programs, soundingInterval } from './table.ts'

/** The points of the evidence. Names have theirs in `name-index.ts`. */
const weights = {
  /** The standard sound. Each level that is missing below a known sound costs `soundLevel`. */
  sound: 50,
  soundLevel: 10,
  /** The sound is of the same group as an instrument that the name can mean. */
  group: 5,
  program: 20,
  /** The program means this instrument more often than the others. */
  usual: 1,
  /** The abbreviation and the name for playback, if the name of the part says nothing. */
  abbreviation: 45,
  instrumentName: 40,
  /** The same two, if they agree with the name of the part. */
  agreement: 15,
  /** The part is on the percussion channel. */
  percussion: 30,
  /** The part has several percussion instruments. */
  drumSet: 60,
  /** The part transposes like this variant of the instrument. */
  transposition: 60,
} as const

/**
 * Finds the instrument of a `score-part`. Always returns an instrument of the table: the nearest one if the
 * table does not have the right one, and a piano without any evidence.
 *
 * All evidence is added up. The name that is printed before the staff weighs most, because the reader sees it, while a
 * sound is often only chosen for playback: a part named Violoncello with a piano sound is a cello. If several instruments
 * have the name (Alto, Bass, Guitar, Clarinet), the key in the name, the standard sound, the transposition and the
 * MIDI program decide, then the order of the table. Without a known name the sound and the program decide together with
 * the abbreviation and the name for playback.
 * @param transpose the `transpose` element of the part's first measures. It distinguishes the clarinet in A from that in B♭
 */
export function recognizeInstrument(scorePart: Element, transpose?: Element): Instrument {
  const scores = new Map<Instrument, number>()
  const add = (instrument: Instrument, points: number) => {
    scores.set(instrument, (scores.get(instrument) ?? 0) + points)
  }
  const played = child(scorePart, 'score-instrument')
  const midi = child(scorePart, 'midi-instrument')
  const percussive = midi !== undefined && isPercussive(midi)
  const severalDrums = percussive && childrenNamed(scorePart, 'score-instrument').length > 1

  const named = pointsOfName(childText(scorePart, 'part-name') ?? '')
  for (const [instrument, points] of named) add(instrument, points)
  const otherNames: [string | undefined, number][] = [
    [childText(scorePart, 'part-abbreviation'), weights.abbreviation],
    [severalDrums ? undefined : played && childText(played, 'instrument-name'), weights.instrumentName],
  ]
  for (const [name, points] of otherNames) addOtherName(name ?? '', points, named, add)
  if (!severalDrums) addSound((played && childText(played, 'instrument-sound')) ?? '', named, add)
  const program = midi && midiProgram(midi)
  if (percussive) addPercussion(program ?? 0, severalDrums, add)
  else if (program !== undefined) addProgram(program, add)

  const best = highest(scores)
  if (best === undefined) return percussive ? drumset : piano
  const interval = transpose === undefined ? 0 : intervalOf(transpose)
  if (interval === 0) return best
  for (const [instrument] of scores) {
    if (kindOf(instrument) === kindOf(best) && soundingInterval(instrument) === interval)
      add(instrument, weights.transposition)
  }
  return highest(scores) ?? best
}

type Add = (instrument: Instrument, points: number) => void

function addOtherName(name: string, weight: number, named: ReadonlyMap<Instrument, number>, add: Add): void {
  for (const [instrument, points] of exactPoints(name)) {
    // A single letter is no more evidence here than in the name.
    if (points < nameWeights.exact) add(instrument, points / 2)
    else if (named.size === 0) add(instrument, weight + (points - nameWeights.exact) / 4)
    else if (named.has(instrument)) add(instrument, weights.agreement)
  }
}

/** Adds the instruments of a sound and of the sounds above it. */
function addSound(sound: string, named: ReadonlyMap<Instrument, number>, add: Add): void {
  const added = new Set<Instrument>()
  let points: number = weights.sound
  for (let name = sound; name !== ''; name = name.slice(0, Math.max(name.lastIndexOf('.'), 0))) {
    const [first, ...others] = bySound.get(name) ?? []
    if (added.size === 0 && first !== undefined) {
      for (const instrument of named.keys())
        if (instrument.group === first.group) add(instrument, weights.group)
    }
    for (const instrument of first === undefined ? [] : [first, ...others]) {
      if (!added.has(instrument)) add(instrument, points)
      added.add(instrument)
    }
    points = Math.max(points - weights.soundLevel, weights.soundLevel)
  }
}

function addProgram(program: number, add: Add): void {
  for (const instrument of byProgram.get(program) ?? []) add(instrument, weights.program)
  const usual = programs[program]?.instrument
  if (usual !== undefined) add(usual, weights.usual)
}

/** @param kit the program on the percussion channel, counted from 0 */
function addPercussion(kit: number, severalDrums: boolean, add: Add): void {
  for (const instrument of instruments) {
    if (instrument.drums !== undefined) add(instrument, weights.percussion)
  }
  const ofKit = drumsets.find(({ program }) => program === kit)
  add(ofKit ?? drumset, severalDrums ? weights.drumSet : weights.group)
}

/** The first of the instruments with the most points, in the order of the table. */
function highest(scores: ReadonlyMap<Instrument, number>): Instrument | undefined {
  let best: Instrument | undefined
  let most = 0
  for (const [instrument, points] of scores) {
    const isEarlier = points === most && best !== undefined && placeOf(instrument) < placeOf(best)
    if (points > most || isEarlier) [best, most] = [instrument, points]
  }
  return best
}

function isPercussive(midiInstrument: Element): boolean {
  return (
    child(midiInstrument, 'midi-unpitched') !== undefined ||
    childText(midiInstrument, 'midi-channel') === String(PERCUSSION_CHANNEL_NUMBER)
  )
}

function midiProgram(midiInstrument: Element): number | undefined {
  const program = Number(childText(midiInstrument, 'midi-program'))
  return Number.isInteger(program) && program >= 1 && program <= 128 ? program - 1 : undefined
}

function intervalOf(transpose: Element): number {
  const interval =
    Number(childText(transpose, 'chromatic')) + 12 * Number(childText(transpose, 'octave-change') ?? 0)
  return Number.isFinite(interval) ? interval : 0
}

const piano = instrumentByKey('keyboards.piano')
const drumset = instrumentByKey('unpitched-percussion.drumset-rock')
const drumsets = instruments.filter(({ sound }) => sound === drumset.sound)

const places = new Map(instruments.map((instrument, index) => [instrument, index]))
const placeOf = (instrument: Instrument): number => places.get(instrument) ?? 0

const byProgram = new Map<number, Instrument[]>()
const bySound = new Map<string, Instrument[]>()
for (const instrument of instruments) {
  // The program of unpitched percussion is a kit.
  const programs = instrument.drums === undefined ? [instrument.program] : []
  for (const program of new Set([...programs, ...(instrument.otherPrograms ?? [])]))
    addTo(byProgram, program, instrument)
  for (const sound of new Set([instrument.sound, ...(instrument.otherSounds ?? [])]))
    addTo(bySound, sound, instrument)
}

function addTo<Key>(lists: Map<Key, Instrument[]>, key: Key, instrument: Instrument): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [instrument])
  else list.push(instrument)
}

function instrumentByKey(key: string): Instrument {
  const instrument = findInstrumentByKey(key)
  if (instrument === undefined) throw new Error(`The instrument table lacks ${key}.`)
  return instrument
}
