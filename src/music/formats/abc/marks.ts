import { child, childrenNamed, childText, type Element } from '../../model/document.ts'
import { kindSuffixes } from '../../model/chord-symbol.ts'
import { wordsOf } from '../../timeline/direction.ts'
import { numberOf } from '../../timeline/written.ts'
import { dynamics, noteValues } from './signs.ts'
import { quotedText } from './text.ts'

/**
 * Returns what a `direction` (MusicXML 4.0) is before a note: dynamics and hairpins as decorations, signs, and words as
 * annotations above or below the staff. The tempo is not part of it.
 * @param hairpins the sign that ends each open hairpin, by its number; it is kept up to date
 */
export function directionText(direction: Element, hairpins: Map<string, string>): string {
  const side = direction.attributes.placement === 'below' ? '_' : '^'
  let text = ''
  for (const type of childrenNamed(direction, 'direction-type')) {
    for (const sign of type.children) {
      if (sign.name === 'dynamics') text += sign.children.map(dynamicText).join('')
      else if (sign.name === 'wedge') text += wedgeText(sign, hairpins)
      else if (sign.name === 'segno' || sign.name === 'coda') text += `!${sign.name}!`
      else if (sign.name === 'rehearsal' && sign.text.trim()) text += quotedText(`^${sign.text.trim()}`)
    }
  }
  const words = wordsOf(direction)
  return words && tempoOf(direction) === undefined ? quotedText(side + words) + text : text
}

function dynamicText({ name, text }: Element): string {
  if (dynamics.has(name)) return `!${name}!`
  const words = name === 'other-dynamics' ? text.trim() : name
  return words ? quotedText(`_${words}`) : ''
}

function wedgeText({ attributes: { type, number = '1' } }: Element, hairpins: Map<string, string>): string {
  if (type === 'crescendo' || type === 'diminuendo') {
    const sign = type === 'crescendo' ? '<' : '>'
    hairpins.set(number, `!${sign})!`)
    return `!${sign}(!`
  }
  const end = type === 'stop' ? (hairpins.get(number) ?? '') : ''
  hairpins.delete(number)
  return end
}

/**
 * Returns the value of a `Q:` field: from a metronome mark with a note value and a number, or from `sound` with `tempo`.
 * Undefined if the element sets no tempo.
 */
export function tempoOf(element: Element): string | undefined {
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const metronome = childrenNamed(element, 'direction-type').flatMap(
    (type) => child(type, 'metronome') ?? [],
  )[0]
  const value = (metronome && metronomeText(metronome)) ?? soundTempo(sound)
  if (value === undefined) return undefined
  const words = element.name === 'direction' ? wordsOf(element) : ''
  return words ? `${quotedText(words)} ${value}` : value
}

function soundTempo(sound: Element | undefined): string | undefined {
  const tempo = numberOf(sound?.attributes.tempo)
  return tempo && tempo > 0 && tempo < 10_000 ? `1/4=${Math.max(1, Math.round(tempo))}` : undefined
}

function metronomeText(metronome: Element): string | undefined {
  const value = noteValues.get(childText(metronome, 'beat-unit') ?? '')
  const beats = /\d+/.exec(childText(metronome, 'per-minute') ?? '')?.[0]
  if (value === undefined || beats === undefined || childrenNamed(metronome, 'beat-unit').length > 1)
    return undefined
  const [above, below] = value
  const isDotted = child(metronome, 'beat-unit-dot') !== undefined
  return `${isDotted ? `${above * 3}/${below * 2}` : `${above}/${below}`}=${Number(beats) || 1}`
}

/** Returns the chord symbol of a `harmony` element (MusicXML 4.0); empty if it has no root. */
export function harmonyText(harmony: Element): string {
  const root = child(harmony, 'root')
  const name = root && stepText(root, 'root')
  if (!name) return ''
  const kind = child(harmony, 'kind')
  const suffix = kindSuffixes.get(kind?.text.trim() ?? '') ?? ''
  // ABC 2.1, section 4.18, writes letters of ASCII.
  const ending = kind?.attributes.text ?? suffix.replace(/^\+/, 'aug').replaceAll('♭', 'b')
  const bass = child(harmony, 'bass')
  return quotedText(`${name}${ending}${bass ? `/${stepText(bass, 'bass')}` : ''}`)
}

function stepText(element: Element, name: 'root' | 'bass'): string {
  const step = childText(element, `${name}-step`) ?? ''
  const alter = Math.round(numberOf(childText(element, `${name}-alter`)) ?? 0)
  if (!/^[A-G]$/.test(step)) return ''
  return step + (alter < 0 ? 'b' : '#').repeat(Math.min(2, Math.abs(alter)))
}
