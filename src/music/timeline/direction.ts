import { child, type Element } from '../model/document.ts'
import { numberOf, type WrittenMark } from './written.ts'

/**
 * The tick at which a `sound` or `direction` takes effect, from the start of its measure. The `offset` of a
 * sound always counts, that of a direction only with `sound="yes"` (MusicXML 4.0, element `offset`).
 */
export function soundingAt({ at, element, ticksPerDivision }: WrittenMark): number {
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const own = sound && child(sound, 'offset')
  const outer = child(element, 'offset')
  const offset = own ?? (outer?.attributes.sound === 'yes' ? outer : undefined)
  return Math.max(0, at + Math.round((numberOf(offset?.text) ?? 0) * ticksPerDivision))
}

/** All words of a direction. Programs split them where the font changes. */
export function wordsOf(direction: Element): string {
  let words = ''
  for (const type of direction.children) {
    if (type.name !== 'direction-type') continue
    for (const part of type.children) if (part.name === 'words') words += `${part.text} `
  }
  return words.replace(/\s+/g, ' ').trim()
}
