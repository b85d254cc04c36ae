import type { Element } from '../../model/document.ts'
import { node } from '../../model/element.ts'
import type { MidiFile, NoteOn } from './midi-file.ts'

/**
 * The importer of the notation engine keeps only one of several notes that begin together on one key of a
 * track, such as two voices in unison. The velocities carry the number of notes through the importer: before
 * the import, each pair of a velocity and a count gets its own velocity; after the import, the pair is looked
 * up by this velocity.
 */
export type Unisons = ReadonlyMap<number, Unison>

interface Unison {
  velocity: number
  count: number
}

/** MusicXML 4.0, attribute `dynamics` of `note`: 100 is a velocity of 90. */
const percentOf = (velocity: number) => (velocity * 100) / 90
const velocityOf = (percent: string | undefined) => Math.round(Number(percent) * 0.9)
/** Velocities that a note can have: 1 to 127. */
const VELOCITIES = 127
/** The maximum count. With it, every file has enough codes. */
const MOST_IN_UNISON = 15

/** The file for the engine, and the code in it. */
export function encodeUnisons({ bytes, notes }: MidiFile): { midi: Uint8Array; unisons: Unisons } {
  const groups = [...Map.groupBy(notes, unisonKey).values()]
  if (groups.every((group) => group.length === 1)) return { midi: bytes, unisons: new Map() }
  const { unisons, codeOf } = codesFor(groups)
  const midi = new Uint8Array(bytes)
  for (const group of groups) {
    const code = codeOf(group)
    for (const { velocityOffset } of group) midi[velocityOffset] = code
  }
  return { midi, unisons }
}

/** Notes with the same key are in unison. */
function unisonKey({ track, channel, key, tick }: NoteOn): number {
  return ((tick * 1024 + track) * 16 + channel) * 128 + key
}

/** A code for each velocity and count that occur, the softest first; velocities are rounded when there are too many. */
function codesFor(groups: readonly NoteOn[][]): {
  unisons: Unisons
  codeOf: (group: readonly NoteOn[]) => number
} {
  for (let step = 1; ; step *= 2) {
    const pairOf = (group: readonly NoteOn[]) => {
      const loudest = group.reduce((most, { velocity }) => Math.max(most, velocity), 0)
      const velocity = Math.min(VELOCITIES, Math.ceil(loudest / step) * step)
      return velocity * (MOST_IN_UNISON + 1) + Math.min(group.length, MOST_IN_UNISON)
    }
    const pairs = [...new Set(groups.map(pairOf))].sort((a, b) => a - b)
    if (pairs.length > VELOCITIES) continue
    const codes = new Map(pairs.map((pair, index) => [pair, index + 1]))
    const unisonOf = (pair: number): Unison => ({
      velocity: Math.floor(pair / (MOST_IN_UNISON + 1)),
      count: pair % (MOST_IN_UNISON + 1),
    })
    return {
      unisons: new Map(pairs.map((pair, index) => [index + 1, unisonOf(pair)])),
      codeOf: (group) => codes.get(pairOf(group)) ?? 1,
    }
  }
}

/** Restores the velocities and the notes of the file in a part. */
export function withUnisons(part: Element, unisons: Unisons): Element {
  return {
    ...part,
    children: part.children.map((measure) => ({
      ...measure,
      children: measure.children.flatMap((note) => (note.name === 'note' ? notesOf(note, unisons) : note)),
    })),
  }
}

/** The note with its original velocity, followed by its unisons, which are not printed. */
function notesOf(note: Element, unisons: Unisons): Element[] {
  const unison = unisons.get(velocityOf(note.attributes.dynamics))
  if (!unison) return [note]
  const attributes = { ...note.attributes, dynamics: percentOf(unison.velocity).toFixed(2) }
  const isContinued = note.children.some(
    ({ name, attributes: { type } }) => name === 'tie' && type === 'stop',
  )
  const hidden: Element = {
    ...note,
    attributes: { ...attributes, 'print-object': 'no' },
    children: note.children
      .filter(({ name }) => !['chord', 'tie', 'beam', 'notations', 'lyric'].includes(name))
      .flatMap((part) => (['pitch', 'unpitched'].includes(part.name) ? [node('chord', []), part] : part)),
  }
  const others = isContinued ? 0 : unison.count - 1
  return [{ ...note, attributes }, ...Array.from({ length: others }, () => hidden)]
}
