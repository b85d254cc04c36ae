import type { Element, ScoreDocument } from '../model/document.ts'
import { leaf, node } from '../model/element.ts'
import { printable } from '../model/printable.ts'
import { frameOf } from './frame.ts'
import { writePart } from './part-writer.ts'
import type { Performance } from './performance.ts'
import { writeScorePart } from './score-part.ts'

/** Writes a performance as a score (docs/midi-import.md). */
export function transcribe(performance: Performance): ScoreDocument {
  const frame = frameOf(performance)
  const { parts, title, rights, creators } = performance
  const identification = [
    ...creators.map(([type, name]) => leaf('creator', printable(name), { type })),
    ...(rights === undefined ? [] : [leaf('rights', printable(rights))]),
    node('encoding', [leaf('software', 'Partita')]),
  ]
  const children: Element[] = [
    ...(title === undefined ? [] : [node('work', [leaf('work-title', printable(title))])]),
    node('identification', identification),
    node(
      'part-list',
      parts.map((part, index) => writeScorePart(part, index)),
    ),
    ...parts.map((part, index) => writePart(part, index, frame)),
  ]
  return { root: node('score-partwise', children, { version: '4.0' }) }
}
