/**
 * Gaps of up to this many pairs of items are compared in full. Larger gaps are divided at items that occur
 * once.
 */
const MAX_TABLE_CELLS = 250_000
/** How often a gap is divided again. Limits the time for hostile sequences. */
const MAX_DIVISIONS_OF_A_GAP = 16

/**
 * Aligns two versions of a sequence. Returns for each item of `after` the index of the same item in `before`,
 * or -1. Pairs never cross. First pairs common beginnings and ends, then uses a longest common subsequence
 * for a small gap, or divides a large gap at items that occur exactly once on both sides (patience diff). The
 * time is about linear in the length.
 */
export function align<T>(before: readonly T[], after: readonly T[]): number[] {
  const pairs = after.map(() => -1)
  alignRange(
    before,
    after,
    { beforeStart: 0, beforeEnd: before.length, start: 0, end: after.length },
    pairs,
    0,
  )
  return pairs
}

/** A range of both sequences. The ends are exclusive. */
interface Range {
  beforeStart: number
  beforeEnd: number
  start: number
  end: number
}

function alignRange<T>(
  before: readonly T[],
  after: readonly T[],
  range: Range,
  pairs: number[],
  depth: number,
): void {
  let { beforeStart, beforeEnd, start, end } = range
  while (start < end && beforeStart < beforeEnd && before[beforeStart] === after[start])
    pairs[start++] = beforeStart++
  while (start < end && beforeStart < beforeEnd && before[beforeEnd - 1] === after[end - 1])
    pairs[--end] = --beforeEnd
  const gap = { beforeStart, beforeEnd, start, end }
  const cells = (beforeEnd - beforeStart) * (end - start)
  if (cells === 0) return
  if (cells <= MAX_TABLE_CELLS) alignByTable(before, after, gap, pairs)
  else if (depth < MAX_DIVISIONS_OF_A_GAP) alignByAnchors(before, after, gap, pairs, depth)
}

/** A longest common subsequence by the textbook table of lengths. */
function alignByTable<T>(before: readonly T[], after: readonly T[], gap: Range, pairs: number[]): void {
  const rows = gap.beforeEnd - gap.beforeStart
  const columns = gap.end - gap.start
  const width = columns + 1
  const lengths = new Uint16Array((rows + 1) * width)
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const same = before[gap.beforeStart + row] === after[gap.start + column]
      lengths[row * width + column] = same
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (before[gap.beforeStart + row] === after[gap.start + column]) {
      pairs[gap.start + column] = gap.beforeStart + row
      row += 1
      column += 1
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1
    else column += 1
  }
}

/** Divides the gap at the longest run of items that occur once on both sides in the same order. */
function alignByAnchors<T>(
  before: readonly T[],
  after: readonly T[],
  gap: Range,
  pairs: number[],
  depth: number,
): void {
  const inBefore = uniquePositions(before, gap.beforeStart, gap.beforeEnd)
  const candidates: Array<{ at: number; beforeAt: number }> = []
  for (const [item, at] of uniquePositions(after, gap.start, gap.end)) {
    const beforeAt = inBefore.get(item)
    if (beforeAt !== undefined) candidates.push({ at, beforeAt })
  }
  candidates.sort((one, other) => one.at - other.at)
  const anchors = longestRising(candidates)
  if (anchors.length === 0) return
  let { beforeStart, start } = gap
  for (const { at, beforeAt } of anchors) {
    alignRange(before, after, { beforeStart, beforeEnd: beforeAt, start, end: at }, pairs, depth + 1)
    pairs[at] = beforeAt
    beforeStart = beforeAt + 1
    start = at + 1
  }
  alignRange(before, after, { beforeStart, beforeEnd: gap.beforeEnd, start, end: gap.end }, pairs, depth + 1)
}

/** The indexes of the items that occur once between `start` and `end`. */
function uniquePositions<T>(items: readonly T[], start: number, end: number): Map<T, number> {
  const places = new Map<T, number>()
  const repeated = new Set<T>()
  for (let index = start; index < end; index++) {
    const item = items[index] as T
    if (places.has(item)) repeated.add(item)
    places.set(item, index)
  }
  for (const item of repeated) places.delete(item)
  return places
}

/** The longest selection of the candidates, in order, in which `beforeAt` rises throughout (patience sorting). */
function longestRising<C extends { beforeAt: number }>(candidates: readonly C[]): C[] {
  interface Link {
    candidate: C
    previous: Link | undefined
  }
  const piles: Link[] = []
  for (const candidate of candidates) {
    let low = 0
    let high = piles.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((piles[middle]?.candidate.beforeAt ?? 0) < candidate.beforeAt) low = middle + 1
      else high = middle
    }
    piles[low] = { candidate, previous: piles[low - 1] }
  }
  const rising: C[] = []
  for (let link = piles.at(-1); link !== undefined; link = link.previous) rising.push(link.candidate)
  return rising.reverse()
}
