import { child, childText, type Element } from '../model/document.ts'
import { numberOf } from './written.ts'

/** The alteration of each step in a key signature, in semitones. A step without an entry is natural. */
export type KeyAlterations = ReadonlyMap<string, number>

export const steps: readonly string[] = ['C', 'D', 'E', 'F', 'G', 'A', 'B']
const orderOfSharps = ['F', 'C', 'G', 'D', 'A', 'E', 'B']

/** Reads a `key` element (MusicXML 4.0): `fifths`, or pairs of `key-step` and `key-alter`. */
function keyAlterationsOf(key: Element): KeyAlterations {
  const alterations = new Map<string, number>()
  const fifths = Math.round(numberOf(childText(key, 'fifths')) ?? 0)
  const altered = fifths < 0 ? orderOfSharps.slice(Math.max(0, 7 + fifths)) : orderOfSharps.slice(0, fifths)
  for (const step of altered) alterations.set(step, Math.sign(fifths))
  let step: string | undefined
  for (const { name, text } of key.children) {
    if (name === 'key-step') step = text.trim()
    else if (name === 'key-alter' && step !== undefined) alterations.set(step, numberOf(text) ?? 0)
  }
  return alterations
}

/** The key signatures in force, by staff. `every` applies to the staves without their own. */
export type KeysOfStaves = ReadonlyMap<number | 'every', KeyAlterations>

/** The key signatures after an `attributes` element. */
export function keysAfter(attributes: Element, before: KeysOfStaves): KeysOfStaves {
  if (child(attributes, 'key') === undefined) return before
  const after = new Map(before)
  for (const key of attributes.children) {
    if (key.name !== 'key') continue
    const staff = numberOf(key.attributes.number)
    if (staff === undefined) after.clear()
    after.set(staff ?? 'every', keyAlterationsOf(key))
  }
  return after
}

const natural: KeyAlterations = new Map()

/** The key signature of a staff. */
export function keyAt(keys: KeysOfStaves, staff: number): KeyAlterations {
  return keys.get(staff) ?? keys.get('every') ?? natural
}
