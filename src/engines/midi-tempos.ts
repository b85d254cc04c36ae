import { child, childText, type Element } from '../music/document.ts'
import { leaf, node } from '../music/element.ts'
import { walkMeasure } from '../music/measure-walk.ts'
import { MAX_TEMPO } from '../music/score-limits.ts'
import type { Tempo } from './midi-file.ts'

/** A tempo that holds for so many quarter notes is worth a metronome mark; what is shorter is how somebody played. */
const quartersToBeShown = 16

/**
 * The first part with the very tempos of its MIDI file. The importer rounds them to whole numbers, and prints each of
 * the hundreds with which a played file breathes.
 * A file that was played without a beat is left as it is: there the importer has found a beat of its own.
 */
export function withTempos(part: Element, tempos: readonly Tempo[]): Element {
  const isOfFile = (tempo: number) => tempos.some(({ quartersPerMinute }) => Math.abs(quartersPerMinute - tempo) <= 1)
  const importers = part.children.flatMap((measure) => measure.children.flatMap((element) => tempoOf(element) ?? []))
  if (tempos.length === 0 || !importers.every(isOfFile)) return part

  const waiting = marksOf(tempos)
  let start = 0
  let divisions = 1
  const measures = part.children.map((measure, index) => {
    const attributes = child(measure, 'attributes')
    const ownDivisions = Number((attributes && childText(attributes, 'divisions')) ?? divisions)
    const walked = walkMeasure(measure, divisions, () => {})
    const isLast = index === part.children.length - 1
    const marks: Element[] = []
    while (waiting[0] && (waiting[0].quarter < start + walked.length || isLast)) {
      const { quarter, quartersPerMinute, isShown } = waiting.shift() as Mark
      const offset = Math.max(0, Math.round((quarter - start) * ownDivisions))
      marks.push(isShown ? metronome(quartersPerMinute, offset) : sound(quartersPerMinute, offset))
    }
    start += walked.length
    divisions = walked.divisions
    const [heading, music] = split(measure.children.filter((element) => tempoOf(element) === undefined))
    return { ...measure, children: [...heading, ...marks, ...music] }
  })
  return { ...part, children: measures }
}

interface Mark extends Tempo {
  isShown: boolean
}

/** In the order of time, of several at the same place the last one. */
function marksOf(tempos: readonly Tempo[]): Mark[] {
  const sorted = tempos
    .toSorted((a, b) => a.quarter - b.quarter)
    .filter(({ quarter }, index, all) => all[index + 1]?.quarter !== quarter)
  return sorted.map((tempo, index) => {
    const lasts = (sorted[index + 1]?.quarter ?? Number.POSITIVE_INFINITY) - tempo.quarter
    return { ...tempo, isShown: index === 0 || lasts >= quartersToBeShown }
  })
}

/** Quarter notes per minute, where the element says nothing else. */
function tempoOf(element: Element): number | undefined {
  const tempo = element.name === 'direction' ? child(element, 'sound')?.attributes.tempo : undefined
  return tempo === undefined ? undefined : Number(tempo)
}

/** The attributes that a measure begins with, and the rest. */
function split(children: Element[]): [Element[], Element[]] {
  const first = children.findIndex(({ name }) => name !== 'attributes' && name !== 'print')
  const place = first < 0 ? children.length : first
  return [children.slice(0, place), children.slice(place)]
}

function sound(tempo: number, offset: number): Element {
  const attributes = { tempo: exact(tempo) }
  return node('sound', offset === 0 ? [] : [leaf('offset', offset)], attributes)
}

function metronome(tempo: number, offset: number): Element {
  const mark = node('metronome', [leaf('beat-unit', 'quarter'), leaf('per-minute', Math.round(Number(exact(tempo))))])
  return node(
    'direction',
    [
      node('direction-type', [mark]),
      ...(offset === 0 ? [] : [leaf('offset', offset, { sound: 'yes' })]),
      node('sound', [], { tempo: exact(tempo) }),
    ],
    { placement: 'above' },
  )
}

/** Exact to the microsecond of a quarter note, even of a fast one, but not faster than a score may be. */
function exact(tempo: number): string {
  return String(Number(Math.min(tempo, MAX_TEMPO).toFixed(4)))
}
