import type { Element } from '../model/document.ts'
import { wordsOf } from './direction.ts'
import { jumpWordsOf } from './jump-words.ts'
import type { Marker, PlayedMeasure } from './played.ts'
import type { WrittenPart } from './written.ts'

/** Rehearsal marks, and the signs and words of the jumps, in the order of playing; once when several parts have them. */
export function markersOf(parts: readonly WrittenPart[], measures: readonly PlayedMeasure[]): Marker[] {
  const written = new Map<number, Map<string, Marker>>()
  for (const part of parts) {
    for (const [column, { marks }] of part.measures.entries()) {
      for (const { element, at } of marks) {
        if (element.name !== 'direction') continue
        for (const text of markerTexts(element)) {
          const inColumn = written.get(column) ?? new Map<string, Marker>()
          written.set(column, inColumn.set(`${at} ${text}`, { tick: at, text }))
        }
      }
    }
  }
  return measures.flatMap(({ index, startTick }) => {
    const inColumn = [...(written.get(index)?.values() ?? [])].sort((a, b) => a.tick - b.tick)
    return inColumn.map(({ tick, text }) => ({ tick: startTick + tick, text }))
  })
}

function markerTexts(direction: Element): string[] {
  const texts: string[] = []
  for (const type of direction.children) {
    if (type.name !== 'direction-type') continue
    for (const { name, text } of type.children) {
      if (name === 'rehearsal' && text.trim() !== '') texts.push(text.trim())
      else if (name === 'segno') texts.push('Segno')
      else if (name === 'coda') texts.push('Coda')
    }
  }
  const words = wordsOf(direction)
  if (jumpWordsOf(words) !== undefined) texts.push(words)
  return texts
}
