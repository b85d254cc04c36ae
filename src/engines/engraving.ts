import { child, childrenNamed, childText, type Element, measuresOf, type ScoreDocument } from '../music/document.ts'

/** How far below the highest credit of the first page the engine has room for others: it keeps ten staff spaces. */
const creditRoom = 90
/** Onsets that fill the width of a page, rather too many than too few. */
const onsetsPerSystem = 16
/** An empty measure takes some width, too. */
const onsetsAtLeast = 3

/**
 * The document as the engraving engine lays it out best. It ignores how much room a file leaves for the texts above the
 * first system, and would print the lowest of them into the music; those are moved up.
 */
export function engravable(document: ScoreDocument): ScoreDocument {
  const height = Number(findText(document.root, 'defaults', 'page-layout', 'page-height'))
  const header = document.root.children.filter((element) => isHeaderCredit(element, height))
  const top = Math.max(...header.map(heightOf))
  const crowded = new Set(header.filter((credit) => heightOf(credit) < top - creditRoom))
  return {
    root: {
      ...document.root,
      children: document.root.children.map((element) => (crowded.has(element) ? raise(element, top) : element)),
    },
  }
}

/**
 * The first measures of a score: as much of it as a page can show, to be engraved many times faster than all.
 * @param measures how many; see `measuresInView`
 */
export function openingOf(document: ScoreDocument, measures: number): ScoreDocument {
  const shorten = (part: Element): Element => ({ ...part, children: measuresOf(part).slice(0, measures) })
  return {
    root: {
      ...document.root,
      children: document.root.children.map((element) => (element.name === 'part' ? shorten(element) : element)),
    },
  }
}

/** How many measures the upper half of a page will show, roughly: fewer when they are full, or when there are many staves. */
export function measuresInView(document: ScoreDocument): number {
  const parts = childrenNamed(document.root, 'part').map(measuresOf)
  const staves = parts.reduce((sum, [first]) => sum + stavesOf(first), 0)
  let room = onsetsPerSystem * (1 + Math.ceil(6 / staves))
  let measures = 0
  while (room > 0 && parts.some((part) => part[measures])) {
    room -= Math.max(onsetsAtLeast, ...parts.map((part) => onsetsIn(part[measures])))
    measures++
  }
  return measures
}

/** Onsets of the busiest voice of a measure. */
function onsetsIn(measure: Element | undefined): number {
  const voices = new Map<string | undefined, number>()
  for (const note of measure?.children ?? []) {
    if (note.name !== 'note' || child(note, 'chord') || child(note, 'grace')) continue
    const voice = childText(note, 'voice')
    voices.set(voice, (voices.get(voice) ?? 0) + 1)
  }
  return Math.max(0, ...voices.values())
}

function stavesOf(measure: Element | undefined): number {
  const attributes = measure && child(measure, 'attributes')
  return Math.max(1, Number((attributes && childText(attributes, 'staves')) ?? 1) || 1)
}

function isHeaderCredit(element: Element, pageHeight: number): boolean {
  return element.name === 'credit' && (element.attributes.page ?? '1') === '1' && heightOf(element) > pageHeight / 2
}

/** Tenths above the lower edge of the page; NaN for a credit without a place. */
function heightOf(credit: Element): number {
  return Number(child(credit, 'credit-words')?.attributes['default-y'])
}

function raise(credit: Element, top: number): Element {
  const place = (words: Element): Element => ({
    ...words,
    attributes: { ...words.attributes, 'default-y': String(top - creditRoom) },
  })
  return { ...credit, children: credit.children.map((part) => (part.name === 'credit-words' ? place(part) : part)) }
}

function findText(element: Element, ...path: string[]): string | undefined {
  const found = path.reduce<Element | undefined>((parent, name) => parent && child(parent, name), element)
  return found?.text.trim()
}
