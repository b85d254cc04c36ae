import {
  child,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../music/model/document.ts'
import { leaf, node } from '../../music/model/element.ts'
import { withPrintedHeader } from '../../music/model/header-credits.ts'
import { onOneLine } from './one-line.ts'
import { checkEngravable } from './engraving-limits.ts'
import { withWrittenChordSymbols } from './chord-symbols.ts'
import { withFittingCredits } from './credit-layout.ts'
import { withoutCrashCauses } from './crash-causes.ts'
import { withShownStaves } from './hidden-staves.ts'
import { withoutHiddenTempos } from './hidden-tempos.ts'
import { withoutJumpSounds } from './jump-words.ts'
import { withKnownFonts } from './known-fonts.ts'
import { type PageSetup, placeOfDefaults, withPageSetup } from './page-setup.ts'
import { withPrintedCredits } from './printed-credits.ts'

/** Onsets that fill the width of a page. A generous estimate. */
const onsetsPerSystem = 16
/** Characters. No readable text in a score is longer. */
const longestText = 2_000
/** Millimeters: the height of an A4 page without margins and title, and of a staff. */
const pageHeight = 240
const usualStaffHeight = 7
/** The height of a staff with the distance to the next one, in staff heights. */
const heightWithDistance = 2.6
/** As many words as fit into 44 characters, or the start of a longer word. */
const lines = /\S.{0,42}\S(?=\s|$)|\S{1,44}/gs
/** The width of an empty measure, in onsets. */
const onsetsAtLeast = 3

/**
 * Changes a document so that the engraving engine lays it out well and does not crash. The engine prints long
 * titles and names beyond the page, so they get line breaks. Credits above the first system are moved so that they fit there. A
 * score without a size is scaled so that its staves fit on a page. Texts that would keep the engine busy for
 * minutes are cut. What it crashes on is repaired, chord symbols are written as texts, fonts
 * replaced by those that it has, and staves and metronome marks shown that it would hide.
 * @throws SCORE_NOT_RENDERABLE if the score would occupy the engine for too long
 */
export function prepareForEngraving(unprepared: ScoreDocument, setup: PageSetup = {}): ScoreDocument {
  checkEngravable(unprepared)
  const sized = withPageSetup(withFittingDefaults(withPrintedCredits(unprepared)), setup)
  const document = setup.layout === 'line' ? onOneLine(sized) : withFittingCredits(withPrintedHeader(sized))
  const prepare = (element: Element) => {
    const short = withShortLines(element)
    const complete = element.name === 'part' ? withCompleteNotation(short) : short
    return withKnownFonts(withoutEndlessTexts(withoutCrashCauses(complete)))
  }
  return { root: { ...document.root, children: document.root.children.map(prepare) } }
}

const withCompleteNotation = (part: Element): Element =>
  withShownStaves(withWrittenChordSymbols(withoutJumpSounds(withoutHiddenTempos(part))))

/**
 * The first measures of a score. The engine lays them out many times faster than the whole score.
 * @param measures the number of measures; see `measuresInView`
 */
export function openingOf(document: ScoreDocument, measures: number): ScoreDocument {
  const shorten = (part: Element): Element => ({ ...part, children: measuresOf(part).slice(0, measures) })
  return {
    root: {
      ...document.root,
      children: document.root.children.map((element) =>
        element.name === 'part' ? shorten(element) : element,
      ),
    },
  }
}

/**
 * Estimates how many measures the upper half of a page shows. Full measures and many staves reduce the
 * number.
 */
export function measuresInView(document: ScoreDocument): number {
  const parts = partsOf(document).map(measuresOf)
  let room = onsetsPerSystem * (1 + Math.ceil(6 / stavesOf(document)))
  let measures = 0
  while (room > 0 && parts.some((part) => part[measures])) {
    room -= Math.max(onsetsAtLeast, ...parts.map((part) => onsetsIn(part[measures])))
    measures++
  }
  return measures
}

/** The number of onsets in the busiest voice of a measure. */
function onsetsIn(measure: Element | undefined): number {
  const voices = new Map<string | undefined, number>()
  for (const note of measure?.children ?? []) {
    if (note.name !== 'note' || child(note, 'chord') || child(note, 'grace')) continue
    const voice = childText(note, 'voice')
    voices.set(voice, (voices.get(voice) ?? 0) + 1)
  }
  return Math.max(0, ...voices.values())
}

/** The number of staves of all parts together. */
function stavesOf(document: ScoreDocument): number {
  return partsOf(document).reduce((staves, part) => {
    const [first] = measuresOf(part)
    return staves + Math.max(1, Number((first && findText(first, 'attributes', 'staves')) ?? 1) || 1)
  }, 0)
}

/** Adds a scaling to a score without a size whose staves must be smaller than usual. */
function withFittingDefaults(document: ScoreDocument): ScoreDocument {
  const { children } = document.root
  const staffHeight = pageHeight / (stavesOf(document) * heightWithDistance)
  if (child(document.root, 'defaults') || staffHeight >= usualStaffHeight) return document
  const scaling = node('scaling', [leaf('millimeters', staffHeight.toFixed(2)), leaf('tenths', 40)])
  const sized = children.toSpliced(placeOfDefaults(children), 0, node('defaults', [scaling]))
  return { root: { ...document.root, children: sized } }
}

/** Adds line breaks to titles and names, which are children of the root or of its children. */
function withShortLines(element: Element): Element {
  switch (element.name) {
    case 'work':
    case 'identification':
      return { ...element, children: element.children.map(withShortLines) }
    case 'work-title':
    case 'movement-title':
    case 'creator':
      return { ...element, text: inLines(element.text) }
    default:
      return element
  }
}

/** The text with line breaks between words, in at most two lines. */
function inLines(text: string): string {
  const [first = '', ...rest] = text.trim().match(lines) ?? []
  const second = rest.length > 1 ? `${rest[0]} …` : rest[0]
  return second === undefined ? first : `${first}\n${second}`
}

function withoutEndlessTexts(element: Element): Element {
  if (element.text.length > longestText) return { ...element, text: `${element.text.slice(0, longestText)}…` }
  const children = element.children.map(withoutEndlessTexts)
  return children.every((part, index) => part === element.children[index])
    ? element
    : { ...element, children }
}

function findText(element: Element, ...path: string[]): string | undefined {
  const target = path.reduce<Element | undefined>((parent, name) => parent && child(parent, name), element)
  return target?.text.trim()
}
