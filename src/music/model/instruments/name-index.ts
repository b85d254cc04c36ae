import type { Instrument } from './instrument.ts'
import { bareReading, isDoubling, keyOf, plainName, readingsOf, segmentsOf } from './names.ts'
import { instruments, soundingInterval } from './table.ts'

/** What a name says about an instrument, in points. */
export const nameWeights = {
  /** The name is one of the instrument's. */
  exact: 100,
  /** The first or the last word. */
  end: 75,
  /** Words in the middle, or the end of a German compound. */
  inside: 60,
  /** A single letter or a key: `A` can be an alto, a group, or a key, and `Db` a double bass or a key. */
  letter: 10,
  /** The key in the name is that of the instrument. */
  key: 80,
} as const

/** The shortest part of a compound that is looked up, and the shortest word before it: `Jagd|horn`. */
const SHORTEST_HEAD = 4
const SHORTEST_MODIFIER = 3
/** The shortest word inside of a name that is looked up. */
const SHORTEST_PHRASE = 3

/** Variants of an instrument that differ in their key are of one kind: the clarinets in B♭, A and E♭. */
const kinds = new Map(
  instruments.map((instrument) => {
    const [name] = instrument.names.en
    return [instrument, `${instrument.group}.${bareReading(plainName(name)).base}`]
  }),
)

/** Equal for instruments that are the same apart from their key. */
export function kindOf(instrument: Instrument): string | undefined {
  return kinds.get(instrument)
}

const byName = new Map<string, Instrument[]>()
/** The aliases of the first instrument of a kind hold for the whole kind. */
const sharedAliases = new Map<string | undefined, readonly string[]>()
for (const instrument of instruments) {
  const longNames = Object.values(instrument.names).map(([long]) => long)
  const bases = longNames.map((name) => bareReading(plainName(name)).base)
  const kind = kindOf(instrument)
  const shared = sharedAliases.get(kind) ?? instrument.aliases
  sharedAliases.set(kind, shared)
  const names = [...Object.values(instrument.names).flat(), ...instrument.aliases, ...shared]
  for (const name of new Set([...names.map(plainName), ...bases])) {
    const candidates = byName.get(name)
    if (candidates === undefined) byName.set(name, [instrument])
    else candidates.push(instrument)
  }
}

/** The points of each instrument that the name of a part can mean. Empty for an unknown name. */
export function pointsOfName(name: string): Map<Instrument, number> {
  const segments = segmentsOf(name)
  for (const text of isDoubling(name) ? [...segments, name] : [name, ...segments]) {
    const points = exactPoints(text)
    if (points.size > 0) return points
  }
  return containedPoints(name)
}

/** The points for a name that is one of the instrument's, apart from numbers and key. */
export function exactPoints(name: string): Map<Instrument, number> {
  for (const { base, key } of readingsOf(name)) {
    const candidates = byName.get(base)
    if (candidates !== undefined) return withPoints(candidates, base, key)
  }
  return new Map()
}

/** The most words of a name that are looked up together. */
const LONGEST_PHRASE = 4

/** The points for the names of instruments inside of a longer name. */
function containedPoints(name: string): Map<Instrument, number> {
  const { base, key } = bareReading(plainName(name))
  const words = base.split(' ')
  const found = new Map<Instrument, number>()
  const taken = new Set<number>()
  for (let count = Math.min(words.length, LONGEST_PHRASE); count > 0; count--) {
    // The noun is at the end in English and German.
    for (let start = words.length - count; start >= 0; start--) {
      const places = Array.from({ length: count }, (_, index) => start + index)
      if (places.some((place) => taken.has(place))) continue
      const candidates = instrumentsOfPhrase(words.slice(start, start + count).join(' '))
      const isAtEnd = start === 0 || start === words.length - count
      // Of two nouns with the same evidence, the last one wins.
      const points = (isAtEnd ? nameWeights.end : nameWeights.inside) - found.size / 1_000
      for (const instrument of candidates) {
        if (!found.has(instrument)) found.set(instrument, points + pointsOfKey(instrument, key))
      }
      if (candidates.length > 0) for (const place of places) taken.add(place)
    }
  }
  if (found.size > 0) return found
  return new Map(
    headOfCompound(words.at(-1) ?? '').map((instrument) => [
      instrument,
      nameWeights.inside + pointsOfKey(instrument, key),
    ]),
  )
}

function instrumentsOfPhrase(phrase: string): readonly Instrument[] {
  if (phrase.replaceAll(' ', '').length < SHORTEST_PHRASE) return []
  return byName.get(phrase) ?? byName.get(phrase.replace(/s$/, '')) ?? []
}

/** The instruments named by the end of a compound: `Soloklarinette`. The longest end wins. */
function headOfCompound(word: string): readonly Instrument[] {
  for (let start = SHORTEST_MODIFIER; start <= word.length - SHORTEST_HEAD; start++) {
    const candidates = byName.get(word.slice(start))
    if (candidates !== undefined) return candidates
  }
  return []
}

function withPoints(
  candidates: readonly Instrument[],
  base: string,
  key: number | undefined,
): Map<Instrument, number> {
  const ofName = base.length === 1 || keyOf(base) !== undefined ? nameWeights.letter : nameWeights.exact
  return new Map(candidates.map((instrument) => [instrument, ofName + pointsOfKey(instrument, key)]))
}

function pointsOfKey(instrument: Instrument, key: number | undefined): number {
  return key !== undefined && (soundingInterval(instrument) + 120) % 12 === key ? nameWeights.key : 0
}
