import type { Element } from '../model/document.ts'
import { intervalTo, type Step, type Surroundings } from './neighbours.ts'
import type { Figure, StartNote, Trill } from './ornament.ts'
import { tableOf } from './table.ts'
import { numberOf, type WrittenNote } from './written.ts'

/** The signs over a note, and the accidental marks that alter its neighbours. */
interface Signs {
  readonly sign: Element
  readonly accidentals: readonly Element[]
}

type Move = 'above' | 'main' | 'below' | 'third below'

/** The notes of a sign in the order of playing. */
interface Shape {
  readonly moves: readonly Move[]
  readonly isDelayed?: boolean
}

const turn: readonly Move[] = ['above', 'main', 'below', 'main']
const invertedTurn: readonly Move[] = ['below', 'main', 'above', 'main']

/** The figures (MusicXML 4.0, element `ornaments`), as C. P. E. Bach's tables and their successors write them out. */
const shapes = tableOf<Shape>({
  turn: { moves: turn },
  'vertical-turn': { moves: turn },
  haydn: { moves: turn },
  'inverted-turn': { moves: invertedTurn },
  'inverted-vertical-turn': { moves: invertedTurn },
  'delayed-turn': { moves: turn, isDelayed: true },
  'delayed-inverted-turn': { moves: invertedTurn, isDelayed: true },
  mordent: { moves: ['main', 'below', 'main'] },
  'inverted-mordent': { moves: ['main', 'above', 'main'] },
  shake: { moves: ['above', 'main', 'above', 'main'] },
  schleifer: { moves: ['third below', 'below', 'main'] },
})

/**
 * The alteration of a note with an accidental mark (MusicXML 4.0, data type accidental-value). Those of less
 * than a semitone are left out.
 */
const alterations = tableOf<number>({
  sharp: 1,
  natural: 0,
  flat: -1,
  'double-sharp': 2,
  'sharp-sharp': 2,
  'flat-flat': -2,
  'double-flat': -2,
  'natural-sharp': 1,
  'natural-flat': -1,
})

/** The ornament of a note, if one of its signs is a trill or a figure. The first such sign counts. */
export function ornamentOf(
  note: WrittenNote,
  signs: readonly Element[],
  surroundings: Surroundings,
): Trill | Figure | undefined {
  const all = signs.flatMap((one) => (one.name === 'ornaments' ? one.children : [one]))
  const sign = all.find(({ name }) => name === 'trill-mark' || shapes.has(name))
  if (sign === undefined) return undefined
  const marks = { sign, accidentals: all.filter(({ name }) => name === 'accidental-mark') }
  const shape = shapes.get(sign.name)
  return shape === undefined ? trillOf(note, marks, surroundings) : figureOf(note, shape, marks, surroundings)
}

/** A trill over a note that stands under the wavy line of `sign`, with its attributes (trill-sound). */
export function trillOf(note: WrittenNote, { sign, accidentals }: Signs, surroundings: Surroundings): Trill {
  const { attributes } = sign
  const lower = intervalTo({ by: -1, alter: undefined }, note, surroundings)
  const turn = attributes['two-note-turn']
  const beats = numberOf(attributes.beats)
  return {
    kind: 'trill',
    upper:
      stepOf(sign) ??
      intervalTo(
        { by: 1, alter: alterationOf(accidentals, 'above') ?? alterationOf(accidentals, 'either') },
        note,
        surroundings,
      ),
    lower,
    start: startOf(attributes['start-note']),
    turn: turn === 'whole' ? -2 : turn === 'half' ? -1 : undefined,
    beats: beats === undefined ? undefined : Math.min(MOST_BEATS, Math.max(2, Math.round(beats))),
    accelerates: attributes.accelerate === 'yes',
  }
}

const MOST_BEATS = 1024

function startOf(text: string | undefined): StartNote {
  return text === 'main' || text === 'below' ? text : 'upper'
}

/** The size of the step that `trill-step` names, upwards. */
function stepOf({ attributes }: Element): number | undefined {
  const sizes: Readonly<Record<string, number>> = { whole: 2, half: 1, unison: 0 }
  return sizes[attributes['trill-step'] ?? '']
}

function figureOf(
  note: WrittenNote,
  { moves, isDelayed = false }: Shape,
  { sign, accidentals }: Signs,
  surroundings: Surroundings,
): Figure {
  const interval = (by: Step['by'], side: 'above' | 'below') => {
    const size = by === -2 ? undefined : stepOf(sign)
    if (size !== undefined) return size * Math.sign(by)
    const only = moves.includes('above') !== moves.includes('below')
    const alter = by === -2 ? undefined : alterationOf(accidentals, only ? 'either' : side)
    return intervalTo({ by, alter }, note, surroundings)
  }
  const steps = moves.map((move) => {
    if (move === 'main') return 0
    if (move === 'above') return interval(1, 'above')
    return interval(move === 'below' ? -1 : -2, 'below')
  })
  const percent = (name: string) => {
    const value = numberOf(sign.attributes[name])
    return value === undefined ? undefined : Math.min(100, Math.max(0, value))
  }
  return {
    kind: 'figure',
    steps: [...approachOf(sign, steps), ...longOf(sign, steps), ...steps],
    isDelayed,
    secondAt: percent('second-beat'),
    lastAt: percent('last-beat'),
  }
}

/** A long mordent has one more stroke. */
function longOf({ attributes }: Element, steps: readonly number[]): readonly number[] {
  return attributes.long === 'yes' ? steps.slice(0, 2) : []
}

/** The note before a mordent with an `approach`. */
function approachOf({ attributes }: Element, steps: readonly number[]): readonly number[] {
  const size = Math.abs(steps[1] ?? 0)
  if (attributes.approach === 'above') return [size]
  return attributes.approach === 'below' ? [-size] : []
}

/**
 * The alteration that an accidental mark gives to the note above or below. A mark without a placement belongs
 * to the note above if it is the first one, otherwise to the one below.
 */
function alterationOf(
  accidentals: readonly Element[],
  side: 'above' | 'below' | 'either',
): number | undefined {
  const mark = accidentals.find(({ attributes: { placement } }, index) => {
    return side === 'either' || side === (placement ?? (index === 0 ? 'above' : 'below'))
  })
  return mark && alterations.get(mark.text.trim())
}

/** Whether an element of `signs` has a trill. */
export function isTrill(sign: Element): boolean {
  return sign.children.some(({ name }) => name === 'trill-mark')
}
