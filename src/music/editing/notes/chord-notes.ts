import type { Element } from '../../model/document.ts'
import { node } from '../../model/element.ts'
import {
  hasChild,
  mapNotations,
  notationsOf,
  pitchOfNote,
  withChildren,
  withNotation,
} from '../note-element.ts'

const heightOf = (note: Element): number => {
  const pitch = pitchOfNote(note)
  return pitch ? pitch.octave * 7 + 'CDEFGAB'.indexOf(pitch.step) + pitch.alter / 10 : 0
}

/** Signs that belong to the whole chord, and are written at its first note. */
const ofChord = new Set(['tuplet', 'slur', 'articulations', 'fermata', 'ornaments', 'dynamics', 'arpeggiate'])

/**
 * Makes a chord of notes: from the lowest to the highest, with the signs of the chord and the lyrics at the first one.
 * @param before the first note until now, which has the signs
 */
export function chordOf(notes: readonly Element[], before: Element | undefined): Element[] {
  const sorted = notes.toSorted((a, b) => heightOf(a) - heightOf(b))
  const [first] = sorted
  return sorted.map((note) => {
    const plain = note === first ? withChildren(note, 'chord', []) : withChord(note)
    if (before === undefined || before === first) return plain
    if (note === before) return withoutSignsOfChord(plain)
    return note === first ? withSignsOf(plain, before) : plain
  })
}

const withChord = (note: Element): Element =>
  hasChild(note, 'chord') ? note : withChildren(note, 'chord', [node('chord', [])])

function withoutSignsOfChord(note: Element): Element {
  const silent = ['lyric', 'beam'].reduce((one, name) => withChildren(one, name, []), note)
  return mapNotations(silent, (sign) => (ofChord.has(sign.name) ? [] : [sign]))
}

/** Gives a note the signs and the lyrics of another one. */
function withSignsOf(note: Element, source: Element): Element {
  const taken = ['lyric', 'beam'].reduce((one, name) => {
    const children = source.children.filter((element) => element.name === name)
    return children.length > 0 ? withChildren(one, name, children) : one
  }, note)
  return notationsOf(source)
    .filter(({ name }) => ofChord.has(name))
    .reduce(withNotation, taken)
}
