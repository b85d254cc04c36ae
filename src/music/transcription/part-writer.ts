import type { Element } from '../model/document.ts'
import { leaf, node } from '../model/element.ts'
import type { Clef } from '../model/instruments/instrument.ts'
import { fifthsOfInterval, respelled } from '../model/key-signature.ts'
import { dynamicMarks } from './dynamics.ts'
import { quantizeOnsets } from './grid.ts'
import { divideHands, needsTwoStaves } from './hands.ts'
import type { Key } from './keys.ts'
import { divisionsOfPart, measureWriter, type StaffVoices } from './measure-writer.ts'
import { QUARTER } from './measures.ts'
import { areEndsExact, noiseOf } from './noise.ts'
import { withOrnaments } from './ornaments.ts'
import type { PerformedPart } from './performance.ts'
import { direction, type ScoreDirection } from './score-directions.ts'
import type { PlacedNote, StaffNote } from './staff-note.ts'
import type { Frame } from './frame.ts'
import { voicesOf } from './voices.ts'

/** Notes of a part below which its noise is that of all parts. */
const FEW_NOTES = 40
/** Voices of a staff in a file that a program wrote, and in a performance. */
const MOST_VOICES = 4
const PLAYED_VOICES = 2
/** Units; onsets with less noise are those of a program. */
const PLAYED = 0.007 * QUARTER
/** A pedal that is lifted for less than this many units is changed. */
const PEDAL_CHANGE = QUARTER / 2

/** Writes the measures of a part. */
export function writePart(part: PerformedPart, index: number, frame: Frame): Element {
  const staves = stavesOf(part, frame).map((notes) => staffVoices(notes, part, frame))
  const { chromatic = 0, diatonic = 0, octaveChange = 0 } = part.transposition ?? {}
  const semitones = chromatic + 12 * octaveChange
  const clefs = clefsOf(part, staves, semitones)
  const interval = fifthsOfInterval(chromatic, diatonic)
  const keys = frame.keys.map((key) => ({ ...key, fifths: respelled(key.fifths - interval) }))
  const divisions = divisionsOfPart(staves)
  const directions = [...(index === 0 ? frame.directions : []), ...partDirections(part, staves.length, frame)]
  const writer = measureWriter({
    divisions,
    staves,
    part: index,
    isPercussion: part.isPercussion,
    semitones,
    directions: directions.sort((a, b) => a.at - b.at),
    keys,
  })
  const measures: Element[] = []
  let number = 0
  let unnumbered = 0
  for (const [place, measure] of frame.measures.entries()) {
    const isFirst = place === 0
    if (!measure.isImplicit) number += 1
    else if (!isFirst) unnumbered += 1
    const key = keys.find(
      ({ at }) => at >= measure.start - QUARTER / 2 && at < measure.start + measure.length - QUARTER / 2,
    )
    const attributes: Element[] = [
      ...(isFirst ? [leaf('divisions', divisions)] : []),
      ...((isFirst || key !== undefined) && !part.isPercussion ? [keyElement(key ?? keys[0])] : []),
      ...(measure.isMeterShown
        ? [node('time', [leaf('beats', measure.meter.beats), leaf('beat-type', measure.meter.beatType)])]
        : []),
      ...(isFirst && staves.length > 1 ? [leaf('staves', staves.length)] : []),
      ...(isFirst ? clefs.map((clef, staff) => clefElement(clef, staff, clefs.length)) : []),
      ...(isFirst && part.transposition !== undefined ? [transposeElement(part.transposition)] : []),
    ]
    const content = writer.write(measure)
    const isLast = place === frame.measures.length - 1
    measures.push(
      node(
        'measure',
        [
          ...(attributes.length > 0 ? [node('attributes', attributes)] : []),
          ...content,
          ...(isLast ? [node('barline', [leaf('bar-style', 'light-heavy')], { location: 'right' })] : []),
        ],
        measure.isImplicit
          ? { number: isFirst ? '0' : `X${unnumbered}`, implicit: 'yes' }
          : { number: String(number) },
      ),
    )
  }
  return node('part', measures, { id: `P${index + 1}` })
}

/** The notes of each staff, by their time. */
function stavesOf({ notes, instrument, isPercussion }: PerformedPart, frame: Frame): StaffNote[][] {
  const placed = notes
    .map(({ start, end, ...note }) => ({ ...note, at: frame.placeOf(start), end: frame.placeOf(end) }))
    .sort((a, b) => a.at - b.at || a.key - b.key)
  const isGiven = placed.some(({ staff }) => staff === 2)
  const hasTwo = instrument.clefs.length >= 2 && !isPercussion && (isGiven || needsTwoStaves(placed))
  if (!hasTwo) return [placed]
  const hands = isGiven ? [] : divideHands(placed)
  const staffAt = (note: (typeof placed)[number], place: number) => note.staff ?? hands[place] ?? 1
  return [1, 2].map((staff) => placed.filter((note, place) => staffAt(note, place) === staff))
}

function staffVoices(notes: readonly StaffNote[], part: PerformedPart, frame: Frame): StaffVoices {
  const ornamented = part.isPercussion ? notes : withOrnaments(notes, frame.secondsAt)
  const onsets = ornamented.map(({ at }) => at)
  const noise = onsets.length < FEW_NOTES ? frame.noise : noiseOf(onsets, frame.tick)
  const { starts, windows } = quantizeOnsets(ornamented, frame.measures, noise)
  const placed: PlacedNote[] = ornamented.map((note, index) => ({ ...note, start: starts[index] ?? 0 }))
  placed.sort((a, b) => a.start - b.start || a.key - b.key)
  const voices = voicesOf(placed, windows, frame.measures, {
    mostVoices: noise < PLAYED ? MOST_VOICES : PLAYED_VOICES,
    hasPlayedEnds: noise >= PLAYED || !areEndsExact(ornamented.map(({ end }) => end)),
    hasNoEnds: part.isPercussion,
  })
  return { voices, windows }
}

const treble: Clef = { sign: 'G', line: 2 }
const bass: Clef = { sign: 'F', line: 4 }

/**
 * The clefs of the instrument, or others if its written notes lie elsewhere. A part in another key than C, such as one for a
 * saxophone or a horn, is always written in the clef of its instrument.
 * @param semitones from written to sounding pitch
 */
function clefsOf(
  { instrument, isPercussion }: PerformedPart,
  staves: readonly StaffVoices[],
  semitones: number,
): Clef[] {
  if (isPercussion) return [{ sign: 'percussion' }]
  const isOneOfSeveral = staves.length === 1 && instrument.clefs.length > 1
  return staves.map(({ voices }, staff) => {
    const keys = voices.flatMap((voice) => voice.flatMap((chord) => chord.notes.map(({ key }) => key)))
    const sounding = keys.sort((a, b) => a - b)[keys.length >> 1]
    const own = isOneOfSeveral ? treble : (instrument.clefs[staff] ?? treble)
    const usual = own.sign === 'percussion' ? treble : own
    if (sounding === undefined || semitones % 12 !== 0) return usual
    const median = sounding - semitones
    if (usual.sign === 'G' && !usual.octaveChange && median < (staves.length > 1 ? 50 : 54)) return bass
    if (usual.sign === 'F' && !usual.octaveChange && median > (staves.length > 1 ? 69 : 65)) return treble
    return usual
  })
}

function clefElement({ sign, line, octaveChange }: Clef, staff: number, staves: number): Element {
  return node(
    'clef',
    [
      leaf('sign', sign),
      ...(line === undefined ? [] : [leaf('line', line)]),
      ...(octaveChange ? [leaf('clef-octave-change', octaveChange)] : []),
    ],
    staves > 1 ? { number: String(staff + 1) } : {},
  )
}

function keyElement(key: Key | undefined): Element {
  const { fifths, isMinor } = key ?? { fifths: 0, isMinor: false }
  return node('key', [leaf('fifths', fifths), leaf('mode', isMinor ? 'minor' : 'major')])
}

function transposeElement({
  chromatic,
  diatonic,
  octaveChange,
}: NonNullable<PerformedPart['transposition']>) {
  return node('transpose', [
    leaf('diatonic', diatonic),
    leaf('chromatic', chromatic),
    ...(octaveChange ? [leaf('octave-change', octaveChange)] : []),
  ])
}

/** Dynamic marks and pedal signs. */
function partDirections(part: PerformedPart, staves: number, frame: Frame): ScoreDirection[] {
  const velocities: number[][] = frame.measures.map(() => [])
  let place = 0
  for (const { start, velocity } of part.notes) {
    const at = frame.placeOf(start) + 1
    while (place < frame.measures.length - 1 && at >= (frame.measures[place + 1]?.start ?? 0)) place += 1
    velocities[place]?.push(velocity)
  }
  const marks = dynamicMarks(velocities).map(({ measure, mark }): ScoreDirection => {
    const sign = node('dynamics', [node(mark, [])])
    return {
      at: frame.measures[measure]?.start ?? 0,
      write: (offset) => direction(sign, offset, [], 'below'),
    }
  })
  return [...marks, ...pedalDirections(part, staves, frame)]
}

/** Pedal signs on the nearest eighth note. The pedal is changed if it is down again soon. */
function pedalDirections(
  { pedals, isPercussion }: PerformedPart,
  staves: number,
  frame: Frame,
): ScoreDirection[] {
  if (isPercussion) return []
  const end = frame.measures.at(-1)
  const pieceEnd = end ? end.start + end.length : 0
  const grid = QUARTER / 2
  const signs: { at: number; type: 'start' | 'stop' | 'change' }[] = []
  for (const { quarter, isDown } of pedals) {
    const at = Math.round(Math.max(0, frame.placeOf(quarter)) / grid) * grid
    const last = signs.at(-1)
    const wasDown = last !== undefined && last.type !== 'stop'
    if (isDown === wasDown || at > pieceEnd) continue
    if (isDown && last !== undefined && at - last.at <= PEDAL_CHANGE && signs.length > 1) {
      signs.splice(-1, 1, { at, type: 'change' })
    } else if (!isDown && last !== undefined && last.at >= at) {
      if (last.type === 'start') signs.pop()
      else signs.splice(-1, 1, { at, type: 'stop' })
    } else signs.push({ at, type: isDown ? 'start' : 'stop' })
  }
  if (signs.length > 0 && signs.at(-1)?.type !== 'stop') signs.push({ at: pieceEnd, type: 'stop' })
  return signs.map(({ at, type }) => ({
    at,
    write: (offset) =>
      direction(
        node('pedal', [], { type, line: 'yes' }),
        offset,
        staves > 1 ? [leaf('staff', staves)] : [],
        'below',
      ),
  }))
}
