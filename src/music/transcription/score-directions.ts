import type { Element } from '../model/document.ts'
import { leaf, node } from '../model/element.ts'
import { printable } from '../model/printable.ts'
import { isCompound, type Measure, QUARTER } from './measures.ts'
import type { ScoreTempo } from './tempo-marks.ts'

/** A direction or a sound at a place in units. */
export interface ScoreDirection {
  readonly at: number
  /** @param offset divisions from the place at which the element is written */
  write(offset: number): Element
}

interface Signs {
  readonly tempos: readonly ScoreTempo[]
  readonly measures: readonly Measure[]
  readonly markers: readonly { readonly at: number; readonly text: string }[]
  readonly isSwinging: boolean
}

const LONGEST_MARKER = 60

/** The signs of the whole score by place: tempos, swing, and markers as rehearsal marks. */
export function scoreDirections({ tempos, measures, markers, isSwinging }: Signs): ScoreDirection[] {
  const directions: ScoreDirection[] = tempos.map((tempo) => {
    const at = Math.round(tempo.quarter * QUARTER)
    return { at, write: (offset) => tempoElement(tempo, isDottedBeat(measures, at), offset) }
  })
  if (isSwinging) directions.push({ at: 0, write: swingElement })
  for (const { at, text } of markers) {
    const label = printable(text).slice(0, LONGEST_MARKER)
    if (label !== '')
      directions.push({
        at: Math.max(0, Math.round(at)),
        write: (offset) => direction(leaf('rehearsal', label), offset, []),
      })
  }
  return directions.sort((a, b) => a.at - b.at)
}

/** A printed sign. */
export function direction(
  sign: Element,
  offset: number,
  more: readonly Element[],
  placement: 'above' | 'below' = 'above',
): Element {
  const place = offset === 0 ? [] : [leaf('offset', offset, { sound: 'yes' })]
  return node('direction', [node('direction-type', [sign]), ...place, ...more], { placement })
}

function isDottedBeat(measures: readonly Measure[], at: number): boolean {
  const measure = measures.find(({ start, length }) => at < start + length)
  return measure !== undefined && isCompound(measure.meter) && measure.beats[0] === 1.5 * QUARTER
}

function tempoElement(
  { quartersPerMinute, printed }: ScoreTempo,
  isDotted: boolean,
  offset: number,
): Element {
  const tempo = { tempo: String(Number(quartersPerMinute.toFixed(4))) }
  if (printed === undefined) return node('sound', offset === 0 ? [] : [leaf('offset', offset)], tempo)
  const perMinute = Math.max(1, Math.round(isDotted ? printed / 1.5 : printed))
  const unit = [leaf('beat-unit', 'quarter'), ...(isDotted ? [node('beat-unit-dot', [])] : [])]
  return direction(node('metronome', [...unit, leaf('per-minute', perMinute)]), offset, [
    node('sound', [], tempo),
  ])
}

/** Eighth notes are played as a quarter and an eighth of a triplet (MusicXML 4.0, element `swing`). */
function swingElement(offset: number): Element {
  const swing = node('swing', [leaf('first', 2), leaf('second', 1), leaf('swing-type', 'eighth')])
  return direction(leaf('words', 'Swing'), offset, [node('sound', [swing])])
}
