import { tableOf } from '../timeline/table.ts'
import { child, childText, type Element } from './document.ts'

/** How a chord of a kind is written after its root, if the file does not say it (MusicXML 4.0, kind-value). */
export const kindSuffixes = tableOf({
  major: '',
  minor: 'm',
  augmented: '+',
  diminished: 'dim',
  dominant: '7',
  'major-seventh': 'maj7',
  'minor-seventh': 'm7',
  'diminished-seventh': 'dim7',
  'augmented-seventh': '+7',
  'half-diminished': 'm7♭5',
  'major-minor': 'm(maj7)',
  'major-sixth': '6',
  'minor-sixth': 'm6',
  'dominant-ninth': '9',
  'major-ninth': 'maj9',
  'minor-ninth': 'm9',
  'dominant-11th': '11',
  'major-11th': 'maj11',
  'minor-11th': 'm11',
  'dominant-13th': '13',
  'major-13th': 'maj13',
  'minor-13th': 'm13',
  'suspended-second': 'sus2',
  'suspended-fourth': 'sus4',
  Neapolitan: 'N6',
  Italian: 'It+6',
  French: 'Fr+6',
  German: 'Ger+6',
  pedal: 'ped',
  power: '5',
  Tristan: 'Tristan',
})
/** The same with the symbols of jazz (`use-symbols`). */
const symbols = tableOf({
  minor: '-',
  'minor-seventh': '-7',
  diminished: '°',
  'diminished-seventh': '°7',
  'half-diminished': 'ø',
  'major-seventh': '△7',
})
const noChord = 'N.C.'
const numerals = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII']
const accidentals: Readonly<Record<string, string>> = { '-2': '♭♭', '-1': '♭', '1': '♯', '2': '♯♯' }

/** Elements that begin a chord; a `harmony` has one for each of its chords (MusicXML 4.0, harmony-chord). */
const beginnings = ['root', 'numeral', 'function']

/** The text of a `harmony`, such as `B♭m7(♭5)/A♭`. Empty if it has none. */
export function chordSymbolOf(harmony: Element): string {
  const chords: Element[][] = []
  for (const one of harmony.children) {
    if (beginnings.includes(one.name)) chords.push([])
    chords.at(-1)?.push(one)
  }
  return chords.map(textOfChord).join(' ').trim()
}

function textOfChord(elements: readonly Element[]): string {
  const [beginning] = elements
  const kind = elements.find(({ name }) => name === 'kind')
  if (beginning === undefined) return ''
  const suffix = suffixOf(kind)
  if (kind?.text.trim() === 'none') return suffix || noChord
  const bass = elements.find(({ name }) => name === 'bass')
  return `${beginningOf(beginning)}${suffix}${degreesOf(elements, kind, suffix)}${bass ? bassOf(bass) : ''}`
}

function suffixOf(kind: Element | undefined): string {
  if (!kind) return ''
  const written = kind.attributes.text?.trim()
  if (written !== undefined) return written
  const value = kind.text.trim()
  const symbol = kind.attributes['use-symbols'] === 'yes' ? symbols.get(value) : undefined
  return symbol ?? kindSuffixes.get(value) ?? ''
}

function beginningOf(element: Element): string {
  if (element.name === 'function') return element.text.trim()
  if (element.name === 'root') return pitchOf(element, 'root')
  const root = child(element, 'numeral-root')
  const numeral = root?.attributes.text ?? numerals[Number(root?.text)] ?? ''
  return `${alterationOf(element, 'numeral')}${numeral}`
}

function bassOf(bass: Element): string {
  const pitch = pitchOf(bass, 'bass')
  const separator = child(bass, 'bass-separator')
  return pitch && `${separator ? (separator.attributes.text ?? separator.text) || '/' : '/'}${pitch}`
}

function pitchOf(element: Element, name: 'root' | 'bass'): string {
  const step = child(element, `${name}-step`)
  const written = step?.attributes.text?.trim()
  const alteration = alterationOf(element, name)
  const isLeft = child(element, `${name}-alter`)?.attributes.location === 'left'
  const letter = written ?? step?.text.trim() ?? ''
  return isLeft ? alteration + letter : letter + alteration
}

function alterationOf(element: Element, name: 'root' | 'bass' | 'numeral'): string {
  const alter = child(element, `${name}-alter`)
  if (alter?.attributes['print-object'] === 'no') return ''
  return accidentals[Number(alter?.text)] ?? ''
}

/** The degrees that the suffix does not name already. */
function degreesOf(elements: readonly Element[], kind: Element | undefined, suffix: string): string {
  const named = new Set(suffix.match(/\d+/g))
  const degrees = elements.filter(
    (one) =>
      one.name === 'degree' &&
      one.attributes['print-object'] !== 'no' &&
      !(kind?.attributes.text !== undefined && named.has(childText(one, 'degree-value') ?? '')),
  )
  if (degrees.length === 0) return ''
  const texts = degrees.map(degreeOf).join(degrees.length > 1 ? ',' : '')
  const isAddition = degrees.length === 1 && /^(add|no)/.test(texts)
  return isAddition && kind?.attributes['parentheses-degrees'] !== 'yes' ? texts : `(${texts})`
}

function degreeOf(degree: Element): string {
  const type = child(degree, 'degree-type')
  const value = child(degree, 'degree-value')
  const alter = child(degree, 'degree-alter')
  const signs = alter?.attributes['plus-minus'] === 'yes' ? { '-1': '-', '1': '+' } : accidentals
  const alteration = (signs as Readonly<Record<string, string>>)[Number(alter?.text)] ?? ''
  const number = value?.attributes.text ?? value?.text.trim() ?? ''
  return `${type?.attributes.text ?? prefixOf(type?.text.trim(), alteration)}${alteration}${number}`
}

/** “add” is left out before an altered degree: `♭9` says the same. */
function prefixOf(type: string | undefined, alteration: string): string {
  if (type === 'subtract') return 'no'
  return type === 'add' && !alteration ? 'add' : ''
}
