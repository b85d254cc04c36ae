import { placeAt } from '../../lib/numbers.ts'
import { child, type Element } from '../model/document.ts'
import { dynamicLevels } from '../model/dynamic-levels.ts'
import { dashesOf } from './dashes.ts'
import { soundingAt, wordsOf } from './direction.ts'
import { dynamicWordsOf } from './dynamic-words.ts'
import { velocityOfPercent } from './note.ts'
import { tableOf } from './table.ts'
import type { WrittenPart } from './written.ts'

const levels = tableOf<number>(dynamicLevels)

/** A mark for one note or chord: its addition to the velocity, and the level after it, if any. */
interface AccentMark {
  readonly adds: number
  readonly leaves?: string
}

const accents = tableOf<AccentMark>({
  sf: { adds: 24 },
  sfz: { adds: 24 },
  fz: { adds: 24 },
  sffz: { adds: 32 },
  rf: { adds: 16 },
  rfz: { adds: 16 },
  sfp: { adds: 24, leaves: 'p' },
  sfpp: { adds: 24, leaves: 'pp' },
  sfzp: { adds: 24, leaves: 'p' },
})

const forteThenSoft = tableOf<readonly [string, string]>({ fp: ['f', 'p'], pf: ['p', 'f'] })

/** Before any mark: mezzo-forte. */
const DEFAULT_VELOCITY = 80
/** The change of a wedge without a mark at its end: one step. */
const WEDGE_STEP = 16
/** A wedge from or to nothing. */
const NOTHING = dynamicLevels.n

interface Level {
  readonly tick: number
  readonly velocity: number
}

interface Wedge {
  readonly start: number
  readonly end: number
  readonly isCrescendo: boolean
  /** It begins or ends with silence (`niente`). */
  readonly isNiente: boolean
}

interface DynamicMarks {
  /** By tick. */
  readonly levels: Level[]
  /** By tick. */
  readonly wedges: Wedge[]
  /** By tick: the velocity that is added to the notes at that place only. */
  readonly accents: Map<number, number>
}

/**
 * Sets the velocity of all notes of a part: from the last dynamic mark before them, changed evenly under a
 * wedge or after words such as "cresc.", and increased by accents. A mark holds for the whole part. The marks are applied to the written
 * score, with every measure once. `dynamics` of a `sound` or of a `note` have priority.
 */
export function applyDynamics(
  part: WrittenPart,
  columnStarts: readonly number[],
  ticksPerQuarter: number,
): void {
  const marks = dynamicMarksOf(part, columnStarts, ticksPerQuarter)
  const velocityAt = velocityCurve(marks, ticksPerQuarter)
  for (const [column, { notes }] of part.measures.entries()) {
    const start = columnStarts[column] ?? 0
    for (const note of notes) {
      const tick = start + note.at
      const velocity = note.ownVelocity ?? velocityAt(tick) + note.accent + (marks.accents.get(tick) ?? 0)
      note.velocity = Math.min(127, Math.max(1, Math.round(velocity)))
    }
  }
}

interface WordsMark extends Omit<Wedge, 'end'> {
  /** The end of their dashes, or without dashes of the following measure. */
  readonly dashesEnd: number | undefined
  readonly naturalEnd: number
}

function dynamicMarksOf(
  part: WrittenPart,
  columnStarts: readonly number[],
  ticksPerQuarter: number,
): DynamicMarks {
  const marks: DynamicMarks = { levels: [], wedges: [], accents: new Map() }
  const open = new Map<string, Omit<Wedge, 'end'>>()
  const allWords: WordsMark[] = []
  const dashesEndOf = dashesOf(part, columnStarts, ticksPerQuarter)
  for (const [column, measure] of part.measures.entries()) {
    for (const mark of measure.marks) {
      if (mark.element.name !== 'direction' && mark.element.name !== 'sound') continue
      const tick = (columnStarts[column] ?? 0) + soundingAt(mark)
      applyMark(mark.element, tick, marks)
      for (const wedge of wedgesOf(mark.element)) {
        const { number = '1', type, niente } = wedge.attributes
        const started = open.get(number)
        if (type === 'continue') continue
        const isNiente = niente === 'yes'
        if (started !== undefined && tick > started.start) {
          const isToNothing = isNiente && type === 'stop' && !started.isCrescendo
          marks.wedges.push({ ...started, end: tick, isNiente: started.isNiente || isToNothing })
        }
        if (type === 'stop') open.delete(number)
        else open.set(number, { start: tick, isCrescendo: type === 'crescendo', isNiente })
      }
      const words = mark.element.name === 'direction' ? dynamicWordsOf(wordsOf(mark.element)) : undefined
      if (words === undefined) continue
      allWords.push({
        start: tick,
        isCrescendo: words.isCrescendo,
        isNiente: words.isToNothing && !words.isCrescendo,
        dashesEnd: dashesEndOf(mark, tick),
        naturalEnd: columnStarts[column + 2] ?? columnStarts.at(-1) ?? tick,
      })
    }
  }
  marks.levels.sort((a, b) => a.tick - b.tick)
  marks.wedges.push(...wedgesOfWords(allWords, marks, ticksPerQuarter))
  marks.wedges.sort((a, b) => a.start - b.start)
  return marks
}

/** Words change the loudness up to the end of their dashes or the next mark, or else to the end of the following measure. */
function wedgesOfWords(
  allWords: readonly WordsMark[],
  { levels: sorted, wedges }: DynamicMarks,
  ticksPerQuarter: number,
): Wedge[] {
  const changes = [...wedges, ...allWords].map(({ start }) => start).sort((a, b) => a - b)
  const levelTicks = sorted.map(({ tick }) => tick)
  const found: Wedge[] = []
  for (const { start, isCrescendo, isNiente, dashesEnd, naturalEnd } of allWords) {
    // The word only names a wedge that begins with it.
    if (wedges.some((wedge) => Math.abs(wedge.start - start) <= ticksPerQuarter)) continue
    const nextMarks = [levelTicks[placeAt(levelTicks, start) + 1], changes[placeAt(changes, start) + 1]]
    const known = [dashesEnd, ...nextMarks].filter((tick) => tick !== undefined)
    const end = known.length === 0 ? naturalEnd : Math.min(...known)
    if (end > start) found.push({ start, end, isCrescendo, isNiente })
  }
  return found
}

function applyMark(element: Element, tick: number, marks: DynamicMarks): void {
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const fromSound = velocityOfPercent(sound?.attributes.dynamics)
  const sign = signOf(element)
  const accent = accents.get(sign)
  const twofold = forteThenSoft.get(sign)
  const set = (velocity: number | undefined, at = tick) => {
    if (velocity !== undefined) marks.levels.push({ tick: at, velocity })
  }
  if (accent !== undefined) {
    // Programs write the velocity of the accent itself, which must not hold after it.
    marks.accents.set(tick, accent.adds)
    if (accent.leaves !== undefined) set(levels.get(accent.leaves))
  } else if (twofold !== undefined) {
    const [now, then] = twofold.map((level) => levels.get(level) ?? DEFAULT_VELOCITY)
    set(then)
    marks.accents.set(tick, (fromSound ?? now ?? 0) - (then ?? 0))
  } else set(fromSound ?? levels.get(sign))
}

/** The name of the dynamic mark of a direction, or "". */
function signOf(direction: Element): string {
  for (const type of direction.children) {
    const dynamics = type.name === 'direction-type' ? child(type, 'dynamics') : undefined
    const sign = dynamics?.children[0]
    if (sign !== undefined) return sign.name === 'other-dynamics' ? sign.text.trim().toLowerCase() : sign.name
  }
  return ''
}

function wedgesOf(direction: Element): Element[] {
  const wedges: Element[] = []
  for (const type of direction.children) {
    if (type.name !== 'direction-type') continue
    for (const wedge of type.children) if (wedge.name === 'wedge') wedges.push(wedge)
  }
  return wedges
}

/** The velocity over time in pieces, each with a start and an end velocity. */
interface Piece {
  readonly tick: number
  readonly velocity: number
  readonly endTick: number
  readonly endVelocity: number
}

function velocityCurve(marks: DynamicMarks, ticksPerQuarter: number): (tick: number) => number {
  const pieces: Piece[] = []
  let current = DEFAULT_VELOCITY
  let next = 0
  const levelTicks = marks.levels.map((level) => level.tick)
  const hold = (tick: number, velocity: number) => {
    current = velocity
    pieces.push({ tick, velocity, endTick: tick, endVelocity: velocity })
  }
  const holdUntil = (tick: number) => {
    for (; next < marks.levels.length; next++) {
      const level = marks.levels[next] as Level
      if (level.tick > tick) return
      hold(level.tick, level.velocity)
    }
  }
  let busyUntil = Number.NEGATIVE_INFINITY
  for (const wedge of marks.wedges) {
    if (wedge.start < busyUntil) continue
    holdUntil(wedge.start)
    // A mark within the wedge or shortly after it is its target.
    const nextLevel = marks.levels[placeAt(levelTicks, wedge.start) + 1]
    const isTarget = nextLevel !== undefined && nextLevel.tick <= wedge.end + ticksPerQuarter
    const velocity = wedge.isNiente && wedge.isCrescendo ? NOTHING : current
    const end = isTarget ? Math.min(nextLevel.tick, wedge.end) : wedge.end
    const reachesTarget =
      isTarget && nextLevel.velocity > velocity === wedge.isCrescendo && nextLevel.velocity !== velocity
    const step = wedge.isCrescendo ? (wedge.isNiente ? current : current + WEDGE_STEP) : current - WEDGE_STEP
    const isToNothing = wedge.isNiente && !wedge.isCrescendo
    const target = isToNothing
      ? NOTHING
      : Math.min(127, Math.max(5, reachesTarget ? nextLevel.velocity : step))
    pieces.push({ tick: wedge.start, velocity, endTick: end, endVelocity: target })
    current = target
    busyUntil = end
  }
  holdUntil(Number.POSITIVE_INFINITY)
  pieces.sort((a, b) => a.tick - b.tick)
  const ticks = pieces.map((piece) => piece.tick)
  return (tick) => {
    const piece = pieces[placeAt(ticks, tick)]
    if (piece === undefined) return DEFAULT_VELOCITY
    const { endTick, velocity, endVelocity } = piece
    if (tick >= endTick) return endVelocity
    return velocity + ((endVelocity - velocity) * (tick - piece.tick)) / (endTick - piece.tick)
  }
}
