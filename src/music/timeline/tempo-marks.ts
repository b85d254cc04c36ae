import { child, type Element } from '../model/document.ts'
import { dashesOf } from './dashes.ts'
import { soundingAt, wordsOf } from './direction.ts'
import { type MetronomeMark, metronomeMarkOf } from './metronome.ts'
import { type TempoWords, tempoWordsOf } from './tempo-words.ts'
import { numberOf, type WrittenPart } from './written.ts'

/** Something that sets or changes the tempo, at its tick in the written score. */
export type TempoMark = TempoContent & {
  readonly tick: number
  /** The end of the dashes after the words. */
  readonly dashesEnd?: number | undefined
}

type TempoContent =
  | { readonly kind: 'number'; readonly quartersPerMinute: number }
  /** Metric modulation. */
  | { readonly kind: 'modulation'; readonly factor: number }
  | TempoWords

/**
 * The tempo marks of all parts by tick, one of each kind at a place. A `sound` has priority over a metronome
 * mark, and that over words (MusicXML 4.0, attribute `tempo` of `sound`, element `metronome`). Next to a
 * number, only words for a gradual change count.
 */
export function tempoMarksOf(
  parts: readonly WrittenPart[],
  columnStarts: readonly number[],
  ticksPerQuarter: number,
): TempoMark[] {
  const marks: TempoMark[] = []
  for (const part of parts) {
    const dashesEndOf = dashesOf(part, columnStarts, ticksPerQuarter)
    for (const [column, measure] of part.measures.entries()) {
      const start = columnStarts[column] ?? 0
      const end = columnStarts[column + 1] ?? start
      for (const mark of measure.marks) {
        const content = tempoContentOf(mark.element)
        if (content === undefined) continue
        const tick = Math.min(end, start + soundingAt(mark))
        const dashesEnd = content.kind === 'gradual' ? dashesEndOf(mark, tick) : undefined
        marks.push({ ...content, tick, dashesEnd })
      }
    }
  }
  marks.sort((a, b) => a.tick - b.tick || rankOf(a) - rankOf(b))
  return marks.filter((mark, index) => {
    const before = marks[index - 1]
    if (before?.tick !== mark.tick) return true
    return mark.kind === 'gradual' && before.kind !== 'gradual'
  })
}

function tempoContentOf(element: Element): TempoContent | undefined {
  if (element.name !== 'direction' && element.name !== 'sound') return undefined
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const tempo = numberOf(sound?.attributes.tempo)
  if (tempo !== undefined && tempo > 0) return { kind: 'number', quartersPerMinute: tempo }
  if (element.name === 'sound') return undefined
  const metronome = metronomeOf(element)
  if (metronome === undefined) return tempoWordsOf(wordsOf(element))
  return 'factor' in metronome ? { kind: 'modulation', ...metronome } : { kind: 'number', ...metronome }
}

function metronomeOf(direction: Element): MetronomeMark | undefined {
  for (const type of direction.children) {
    const metronome = type.name === 'direction-type' ? child(type, 'metronome') : undefined
    const mark = metronome && metronomeMarkOf(metronome)
    if (mark !== undefined) return mark
  }
  return undefined
}

function rankOf({ kind }: TempoMark): number {
  if (kind === 'number') return 0
  if (kind === 'modulation') return 1
  return kind === 'gradual' ? 3 : 2
}
