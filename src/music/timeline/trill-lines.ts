import type { Element } from '../model/document.ts'
import type { Surroundings } from './neighbours.ts'
import { trillOf } from './ornament-signs.ts'
import type { WrittenNote } from './written.ts'

export interface TrillLines {
  /** A line is open, so the next note may be under it. */
  isOpen(): boolean
  /** The next chord of the part, by position. A grace note may end a line, but is not trilled. */
  add(chord: readonly WrittenNote[], surroundings: Surroundings): void
}

/** Notes under a line that has no stop yet. */
interface Line {
  readonly sign: Element
  readonly covered: (readonly [WrittenNote, Surroundings])[]
}

/** Attributes that say how a wavy line sounds. A line that has one is a trill. */
const soundAttributes = ['start-note', 'trill-step', 'two-note-turn', 'accelerate', 'beats']

/**
 * Extends trills along their wavy lines (MusicXML 4.0, element `wavy-line`): each note of the voice up to the
 * stop, included, is trilled. A line that neither begins at a trill mark nor has the attributes of one is a
 * vibrato, which is not played. So is a line without a stop.
 */
export function trillLines(): TrillLines {
  const linesOfVoices = new Map<string, Map<string, Line>>()
  return {
    isOpen: () => [...linesOfVoices.values()].some((lines) => lines.size > 0),
    add(chord, surroundings) {
      const [highest] = chord.toSorted((a, b) => b.key - a.key)
      if (highest === undefined) return
      const signs = chord.flatMap(({ signs = [] }) => signs.flatMap(({ children }) => children))
      const marks = signs.filter(({ name }) => name === 'wavy-line')
      const lines = linesOfVoices.get(highest.voice) ?? new Map<string, Line>()
      linesOfVoices.set(highest.voice, lines)
      if (highest.grace === undefined)
        for (const { covered } of lines.values()) covered.push([highest, surroundings])
      for (const mark of marks) {
        if (mark.attributes.type !== 'stop') continue
        const name = lineNumberOf(mark)
        const line = lines.get(name)
        lines.delete(name)
        for (const [note, around] of line?.covered ?? []) {
          note.ornament ??= trillOf(note, { sign: line?.sign ?? mark, accidentals: [] }, around)
        }
      }
      const trill = signs.find(({ name }) => name === 'trill-mark')
      for (const mark of marks) {
        if (mark.attributes.type !== 'start') continue
        const isTrill = soundAttributes.some((attribute) => mark.attributes[attribute] !== undefined)
        if (isTrill) highest.ornament ??= trillOf(highest, { sign: mark, accidentals: [] }, surroundings)
        if ((isTrill || trill !== undefined) && lines.size < MOST_LINES)
          lines.set(lineNumberOf(mark), { sign: isTrill ? mark : (trill ?? mark), covered: [] })
      }
    },
  }
}

/** Lines of one voice that are open at one time, as many as there are numbers for them (number-level). */
const MOST_LINES = 16

const lineNumberOf = ({ attributes }: Element) => attributes.number ?? '1'
