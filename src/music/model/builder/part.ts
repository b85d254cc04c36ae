import type { Element } from '../document.ts'
import { leaf, node } from '../element.ts'
import type { Clef, Instrument, Transposition } from '../instruments/instrument.ts'
import { pitchNamed } from '../instruments/pitch-names.ts'
import { fifthsOfInterval, respelled } from '../key-signature.ts'

export interface Signature {
  /** Concert key, −7…7. */
  readonly fifths: number
  readonly beats: number
  readonly beatType: number
}

export interface PlannedPart {
  readonly id: string
  readonly instrument: Instrument
  readonly longName: string
  readonly shortName: string
  /** MIDI channel, 1–16. */
  readonly channel: number
  /** Adds a tablature staff below the staff. */
  readonly tablature: boolean
}

/** The entry of the part list: names, sounds and how MIDI plays them. */
export function scorePartOf({ id, instrument, longName, shortName, channel }: PlannedPart): Element {
  const children = [leaf('part-name', longName), leaf('part-abbreviation', shortName)]
  const sounds = instrument.drums ?? [
    { name: instrument.names.en[0], sound: instrument.sound, midiNote: undefined },
  ]
  sounds.forEach(({ name, sound }, index) => {
    const named = [leaf('instrument-name', name), leaf('instrument-sound', sound)]
    children.push(node('score-instrument', named, { id: `${id}-I${index + 1}` }))
  })
  sounds.forEach(({ midiNote }, index) => {
    const played = [leaf('midi-channel', channel), leaf('midi-program', instrument.program + 1)]
    if (midiNote !== undefined) played.push(leaf('midi-unpitched', midiNote + 1))
    children.push(node('midi-instrument', played, { id: `${id}-I${index + 1}` }))
  })
  return node('score-part', children, { id })
}

/** Divisions of a quarter note: whole numbers for 128th notes, and for the triplets and quintuplets of 64th notes. */
const divisions = 480

/**
 * Builds a part: the signatures in its first measure, then rests up to the final bar line.
 * @param measureUuids one for each measure; all parts of a score share them
 */
export function buildPart(
  part: PlannedPart,
  signature: Signature,
  uuid: string,
  measureUuids: readonly string[],
): Element {
  const staves = part.instrument.clefs.length + (part.tablature ? 1 : 0)
  const duration = (signature.beats * 4 * divisions) / signature.beatType
  const measures = measureUuids.map((measureUuid, index) => {
    const children = index === 0 ? [attributesOf(part, signature, staves)] : []
    for (let staff = 1; staff <= staves; staff++) {
      if (staff > 1) children.push(node('backup', [leaf('duration', duration)]))
      children.push(measureRest(duration, staff, staves))
    }
    if (index === measureUuids.length - 1) {
      children.push(node('barline', [leaf('bar-style', 'light-heavy')], { location: 'right' }))
    }
    const measure = node('measure', children, { number: String(index + 1) })
    measure.uuid = measureUuid
    return measure
  })
  const element = node('part', measures, { id: part.id })
  element.uuid = uuid
  return element
}

/** Each staff has four voices, as in most programs: the second staff starts with voice 5. */
function measureRest(duration: number, staff: number, staves: number): Element {
  const children = [
    node('rest', [], { measure: 'yes' }),
    leaf('duration', duration),
    leaf('voice', staff * 4 - 3),
  ]
  if (staves > 1) children.push(leaf('staff', staff))
  return node('note', children)
}

function attributesOf(part: PlannedPart, signature: Signature, staves: number): Element {
  const { instrument } = part
  const children = [leaf('divisions', divisions)]
  if (instrument.drums === undefined) {
    children.push(node('key', [leaf('fifths', writtenFifths(signature.fifths, instrument.transposition))]))
  }
  children.push(node('time', [leaf('beats', signature.beats), leaf('beat-type', signature.beatType)]))
  if (staves > 1) children.push(leaf('staves', staves))
  instrument.clefs.forEach((clef, index) => {
    children.push(clefOf(clef, index + 1, staves))
  })
  if (part.tablature) children.push(clefOf({ sign: 'TAB', line: 5 }, staves, staves))
  if (instrument.staffLines !== undefined) {
    children.push(node('staff-details', [leaf('staff-lines', instrument.staffLines)]))
  }
  if (part.tablature && instrument.tuning !== undefined) children.push(tablatureOf(instrument.tuning, staves))
  if (instrument.transposition !== undefined) children.push(transposeOf(instrument.transposition))
  return node('attributes', children)
}

function writtenFifths(concert: number, transposition: Transposition | undefined): number {
  if (transposition === undefined) return concert
  return respelled(concert - fifthsOfInterval(transposition.chromatic, transposition.diatonic))
}

function clefOf(
  clef: Clef | { sign: 'TAB'; line: number; octaveChange?: number },
  staff: number,
  staves: number,
): Element {
  const children = [leaf('sign', clef.sign)]
  if (clef.line !== undefined) children.push(leaf('line', clef.line))
  if (clef.octaveChange !== undefined) children.push(leaf('clef-octave-change', clef.octaveChange))
  return node('clef', children, staves > 1 ? { number: String(staff) } : undefined)
}

/** @param tuning the open strings from the bottom line: `E2`, `F#4` */
function tablatureOf(tuning: readonly string[], staff: number): Element {
  const children = [leaf('staff-lines', tuning.length)]
  tuning.forEach((pitch, index) => {
    const { step, alter, octave } = pitchNamed(pitch)
    const altered = alter === 0 ? [] : [leaf('tuning-alter', alter)]
    const tuned = [leaf('tuning-step', step), ...altered, leaf('tuning-octave', octave)]
    children.push(node('staff-tuning', tuned, { line: String(index + 1) }))
  })
  return node('staff-details', children, { number: String(staff) })
}

function transposeOf({ chromatic, diatonic, octaveChange }: Transposition): Element {
  const children = [leaf('diatonic', diatonic), leaf('chromatic', chromatic)]
  if (octaveChange !== undefined) children.push(leaf('octave-change', octaveChange))
  return node('transpose', children)
}
