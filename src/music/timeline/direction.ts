import { child, type Element } from '../document.ts'
import { numberOf, type WrittenMark } from './written.ts'

/**
 * Where a `sound` or `direction` takes effect, in ticks from the start of its measure: an `offset` of the sound counts,
 * one of the direction only when it says so (MusicXML 4.0, element `offset`).
 */
export function soundingAt({ at, element, ticksPerDivision }: WrittenMark): number {
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const own = sound && child(sound, 'offset')
  const outer = child(element, 'offset')
  const offset = own ?? (outer?.attributes.sound === 'yes' ? outer : undefined)
  return Math.max(0, at + Math.round((numberOf(offset?.text) ?? 0) * ticksPerDivision))
}

/** All the words of a direction; programs cut them into pieces where the font changes. */
export function wordsOf(direction: Element): string {
  let words = ''
  for (const type of direction.children) {
    if (type.name !== 'direction-type') continue
    for (const part of type.children) if (part.name === 'words') words += `${part.text} `
  }
  return words.replace(/\s+/g, ' ').trim()
}
