import {
  child,
  childrenNamed,
  childText,
  type Element,
  type ScoreDocument,
} from '../../music/model/document.ts'

/**
 * Tenths below the highest credit of the first page in which the engine has room for further credits. It
 * reserves ten staff spaces.
 */
const creditRoom = 90
/** A header may exceed its room by this number of tenths. The engine leaves more space above the first system. */
const mostBeyond = 10
const smallestScale = 0.5
/** Points: the size of a credit without one. */
const usualSize = 12
/** The height of a letter, the distance of lines and the width of a letter of a text font, in its size. */
const letterHeight = 0.95
const lineDistance = 1.23
const letterWidth = 0.5
const millimetersOfPoint = 25.4 / 72
/** The staff of the engine, for a file without a size. */
const usualScaling = { millimeters: 7, tenths: 40 }

/** A credit above the first system, in tenths below the highest one and from the left edge. */
interface PlacedCredit {
  readonly credit: Element
  readonly y: number
  readonly height: number
  readonly left: number
  readonly right: number
}

/**
 * Places the credits above the first system of the first page. The engine counts their heights from the highest one, and ignores
 * the room that a file leaves for them: it would print the lowest ones into the music. So they are moved up, and
 * those above them too if they would overlap. If they do not fit, all of them become smaller.
 */
export function withFittingCredits(document: ScoreDocument): ScoreDocument {
  const defaults = child(document.root, 'defaults')
  const layout = defaults && child(defaults, 'page-layout')
  const page = Number(layout && childText(layout, 'page-height'))
  const header = document.root.children.filter((element) => isHeaderCredit(element, page))
  if (header.length === 0) return document
  const top = Math.max(...header.map(heightOf))
  const scaling = defaults && child(defaults, 'scaling')
  const millimeters = Number(scaling && childText(scaling, 'millimeters')) || usualScaling.millimeters
  const tenths = Number(scaling && childText(scaling, 'tenths')) || usualScaling.tenths
  const tenthsOfPoint = (millimetersOfPoint * tenths) / millimeters

  let scale = 1
  let placed = fitted(header.map((credit) => placeOf(credit, top, tenthsOfPoint)))
  const isTooHigh = () => placed.some(({ y }) => y < -mostBeyond)
  while (isTooHigh() && scale > smallestScale) {
    scale -= 0.1
    placed = fitted(header.map((credit) => placeOf(credit, top, tenthsOfPoint * scale)))
  }
  const changed = new Map(placed.map(({ credit, y }) => [credit, withPlace(credit, top - y, scale)]))
  const children = document.root.children.map((element) => changed.get(element) ?? element)
  return { root: { ...document.root, children } }
}

function isHeaderCredit(element: Element, pageHeight: number): boolean {
  return (
    element.name === 'credit' &&
    (element.attributes.page ?? '1') === '1' &&
    heightOf(element) > pageHeight / 2
  )
}

/** Tenths above the lower edge of the page; NaN for a credit without a position. */
function heightOf(credit: Element): number {
  return Number(child(credit, 'credit-words')?.attributes['default-y'])
}

function placeOf(credit: Element, top: number, tenthsOfPoint: number): PlacedCredit {
  const words = childrenNamed(credit, 'credit-words')
  const { 'default-x': x, justify, halign = justify ?? 'left' } = words[0]?.attributes ?? {}
  const lines = words
    .map(({ text }) => text)
    .join('')
    .trim()
    .split('\n')
  const size = Math.max(...words.map(sizeOf)) * tenthsOfPoint
  const width = Math.max(...lines.map(({ length }) => length)) * size * letterWidth
  const before = halign === 'center' ? width / 2 : halign === 'right' ? width : 0
  const left = (Number(x) || 0) - before
  return {
    credit,
    y: top - heightOf(credit),
    height: size * (letterHeight + (lines.length - 1) * lineDistance),
    left,
    right: left + width,
  }
}

const sizeOf = ({ attributes }: Element): number => Number(attributes['font-size']) || usualSize

/**
 * Moves credits down below those that they would overlap, and then up, from the lowest to the highest, so far that each is in the
 * room and above those below it.
 */
function fitted(credits: readonly PlacedCredit[]): PlacedCredit[] {
  const lowered: PlacedCredit[] = []
  for (const credit of credits.toSorted((a, b) => a.y - b.y)) {
    const above = lowered.filter((one) => sharesColumn(one, credit)).map(({ y, height }) => y + height)
    lowered.push({ ...credit, y: Math.max(credit.y, ...above) })
  }
  const raised: PlacedCredit[] = []
  for (const credit of lowered.reverse()) {
    const below = raised.filter((one) => sharesColumn(one, credit)).map(({ y }) => y - credit.height)
    raised.push({ ...credit, y: Math.min(credit.y, creditRoom, ...below) })
  }
  return raised
}

/** Whether one credit is above or below another, and not beside it. */
const sharesColumn = (one: PlacedCredit, other: PlacedCredit): boolean =>
  one.left < other.right && other.left < one.right

function withPlace(credit: Element, height: number, scale: number): Element {
  const first = child(credit, 'credit-words')
  const place = (words: Element): Element => {
    const attributes = { ...words.attributes, 'default-y': String(Math.round(height * 100) / 100) }
    // Further words of a credit look like those before them.
    const inherits = words !== first && words.attributes['font-size'] === undefined
    if (scale === 1 || inherits) return { ...words, attributes }
    const size = String(Math.round(sizeOf(words) * scale * 10) / 10)
    return { ...words, attributes: { ...attributes, 'font-size': size } }
  }
  if (scale === 1 && heightOf(credit) === height) return credit
  const children = credit.children.map((one) => (one.name === 'credit-words' ? place(one) : one))
  return { ...credit, children }
}
