import { child, childText, type Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import { walkMeasure } from '../../model/measure-walk.ts'
import { MAX_TEMPO } from '../../model/limits.ts'
import type { Tempo } from './midi-file.ts'

/**
 * The quarter notes for which a tempo must last to get a metronome mark. Shorter tempos are part of the
 * performance.
 */
const quartersToBeShown = 16

/**
 * The first part with the exact tempos of its MIDI file. The importer rounds them to whole numbers, and
 * prints each of the hundreds of small changes in a recorded performance. A file that was recorded without a
 * beat is not changed, because the importer has found its own beat.
 */
export function withTempos(part: Element, tempos: readonly Tempo[]): Element {
  const isOfFile = (tempo: number) =>
    tempos.some(({ quartersPerMinute }) => Math.abs(quartersPerMinute - tempo) <= 1)
  const importers = part.children.flatMap((measure) =>
    measure.children.flatMap((element) => tempoOf(element) ?? []),
  )
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

/** Sorts by time and keeps the last of several tempos at one place. */
function marksOf(tempos: readonly Tempo[]): Mark[] {
  const sorted = tempos
    .toSorted((a, b) => a.quarter - b.quarter)
    .filter(({ quarter }, index, all) => all[index + 1]?.quarter !== quarter)
  return sorted.map((tempo, index) => {
    const lasts = (sorted[index + 1]?.quarter ?? Number.POSITIVE_INFINITY) - tempo.quarter
    return { ...tempo, isShown: index === 0 || lasts >= quartersToBeShown }
  })
}

/** Quarter notes per minute, unless the element has its own beat unit. */
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
  const attributes = { tempo: formatTempo(tempo) }
  return node('sound', offset === 0 ? [] : [leaf('offset', offset)], attributes)
}

function metronome(tempo: number, offset: number): Element {
  const mark = node('metronome', [
    leaf('beat-unit', 'quarter'),
    leaf('per-minute', Math.round(Number(formatTempo(tempo)))),
  ])
  return node(
    'direction',
    [
      node('direction-type', [mark]),
      ...(offset === 0 ? [] : [leaf('offset', offset, { sound: 'yes' })]),
      node('sound', [], { tempo: formatTempo(tempo) }),
    ],
    { placement: 'above' },
  )
}

/** The tempo with an error below a microsecond per quarter note, at most the maximum tempo of a score. */
function formatTempo(tempo: number): string {
  return String(Number(Math.min(tempo, MAX_TEMPO).toFixed(4)))
}
