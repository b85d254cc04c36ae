/** A note with its time in units. */
export interface HandNote {
  readonly at: number
  readonly end: number
  readonly key: number
}

/** The keys between which the hands can part. A split at a key gives it and the keys above to the right hand. */
const LOWEST_SPLIT = 36
const HIGHEST_SPLIT = 86
const SPLITS = HIGHEST_SPLIT - LOWEST_SPLIT + 1
/** Semitones that a hand reaches with ease. */
const REACH = 12
const FINGERS = 5
/** Keys of a group that count, and earlier notes that are still held. Only broken files have more. */
const MOST_KEYS = 24
/** Notes that begin within this many units are struck together. */
const TOGETHER = 100
/** A melody that goes on in steps of at most this many semitones stays in its hand. */
const STEP = 4
/** Units without a new note after which a hand is free to move. */
const PAUSE = 6720

/** What it costs to play otherwise than hands like to. */
const cost = {
  beyondReach: 3,
  tooManyNotes: 6,
  /** For a gap between the hands that is smaller than a fifth. */
  narrowGap: 1.2,
  brokenMelody: 4,
  movedSplit: 0.25,
  farFromMiddle: 0.02,
  emptyHand: 0.6,
} as const

/**
 * Divides the notes of a keyboard between the hands: by what a hand can reach, and so that a melody stays in one hand. The
 * boundary between the hands moves as little as possible; it is not tied to a key.
 * @param notes by time
 * @returns the staff of each note: 1 right hand, 2 left hand
 */
export function divideHands(notes: readonly HandNote[]): (1 | 2)[] {
  const groups = groupsOf(notes)
  /** For each group and split, the split before it on the best way there. */
  const ways: Uint8Array[] = []
  let costs = new Float64Array(SPLITS)
  let before: Group | undefined
  for (const group of groups) {
    const way = new Uint8Array(SPLITS)
    const next = new Float64Array(SPLITS)
    const reached = cheapestMoves(costs, before !== undefined && group.at - before.at > PAUSE)
    for (let place = 0; place < SPLITS; place++) {
      const split = LOWEST_SPLIT + place
      way[place] = reached.from[place] as number
      next[place] =
        (reached.costs[place] as number) + costOfSplit(group, split) + costOfMelody(before, group, split)
    }
    ways.push(way)
    costs = next
    before = group
  }
  const staves: (1 | 2)[] = notes.map(() => 1)
  let place = costs.indexOf(costs.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY))
  for (let index = groups.length - 1; index >= 0; index--) {
    const { first, count } = groups[index] as Group
    for (let note = first; note < first + count; note++)
      staves[note] = (notes[note] as HandNote).key >= LOWEST_SPLIT + place ? 1 : 2
    place = ways[index]?.[place] ?? place
  }
  return staves
}

/** Whether the notes need two staves: they reach far below and far above middle C. */
export function needsTwoStaves(notes: readonly HandNote[]): boolean {
  const keys = notes.map(({ key }) => key).sort((a, b) => a - b)
  const at = (share: number) => keys[Math.floor(share * (keys.length - 1))] ?? 60
  return at(0.04) < 53 && at(0.96) > 65
}

interface Group {
  readonly at: number
  /** Place of the first note in the list of notes. */
  readonly first: number
  readonly count: number
  /** The keys of its notes, and of those that are still held, from the bottom. */
  readonly keys: readonly number[]
  /** The keys of its own notes. */
  readonly struck: readonly number[]
}

function groupsOf(notes: readonly HandNote[]): Group[] {
  const groups: Group[] = []
  let held: HandNote[] = []
  for (let first = 0; first < notes.length; ) {
    const { at } = notes[first] as HandNote
    let last = first
    while (last < notes.length && (notes[last] as HandNote).at - at <= TOGETHER) last += 1
    const struck = notes.slice(first, last)
    held = held.filter(({ end }) => end > at + TOGETHER)
    const keys = [...held, ...struck].map(({ key }) => key).sort((a, b) => a - b)
    const own = struck.map(({ key }) => key)
    groups.push({ at, first, count: last - first, keys: keys.slice(0, MOST_KEYS), struck: own.slice(0, 12) })
    held = [...held, ...struck].slice(-MOST_KEYS)
    first = last
  }
  return groups
}

function costOfSplit({ keys }: Group, split: number): number {
  const left = keys.filter((key) => key < split)
  const right = keys.filter((key) => key >= split)
  let sum = cost.farFromMiddle * Math.abs(split - 60)
  for (const hand of [left, right]) {
    if (hand.length === 0) continue
    const span = (hand.at(-1) as number) - (hand[0] as number)
    if (span > REACH) sum += cost.beyondReach * (1 + (span - REACH) / 4)
    if (hand.length > FINGERS) sum += cost.tooManyNotes
  }
  if (left.length > 0 && right.length > 0) {
    const gap = (right[0] as number) - (left.at(-1) as number)
    if (gap < 7) sum += (cost.narrowGap * (7 - gap)) / 7
  } else if (keys.length > 2) sum += cost.emptyHand
  return sum
}

/** The cost of a boundary between two notes of a melody. The split is that of the later note. */
function costOfMelody(before: Group | undefined, group: Group, split: number): number {
  let sum = 0
  for (const to of group.struck) {
    for (const from of before?.struck ?? []) {
      if (from >= split === to >= split || Math.abs(from - to) > STEP) continue
      sum += cost.brokenMelody / Math.max(1, group.struck.length - 1)
    }
  }
  return sum
}

/** For each split the cheapest way to it: from the same split, or by moving the boundary. */
function cheapestMoves(costs: Float64Array, isFree: boolean) {
  const step = isFree ? 0 : cost.movedSplit
  const reached = Float64Array.from(costs)
  const from = Uint8Array.from(costs, (_, place) => place)
  const relax = (place: number, neighbour: number) => {
    const moved = (reached[neighbour] as number) + step
    if (moved < (reached[place] as number)) {
      reached[place] = moved
      from[place] = from[neighbour] as number
    }
  }
  for (let place = 1; place < SPLITS; place++) relax(place, place - 1)
  for (let place = SPLITS - 2; place >= 0; place--) relax(place, place + 1)
  return { costs: reached, from }
}
