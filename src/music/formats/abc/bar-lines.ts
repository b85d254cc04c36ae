import { child, childText, type Element, measuresOf } from '../../model/document.ts'

/** What stands between the measures of all parts. */
export interface BarLines {
  /** Before the first measure; often empty. */
  readonly start: string
  /** The bar line after each measure. */
  readonly after: readonly string[]
  /** The start of an ending, as `[1`, before each measure; empty if none starts. */
  readonly endings: readonly string[]
}

interface Boundary {
  style: string | undefined
  backward: boolean
  forward: boolean
}

/** Reads the bar lines of all parts (MusicXML 4.0, element `barline`): in ABC all voices have the same. */
export function barLinesOf(parts: readonly Element[]): BarLines {
  const boundaries: Boundary[] = []
  const endings: string[] = []
  for (const part of parts) {
    for (const [column, measure] of measuresOf(part).entries()) {
      endings[column] ??= ''
      for (const element of measure.children) {
        if (element.name !== 'barline') continue
        const { location } = element.attributes
        if (location === 'middle') continue
        readBarLine(element, boundaryAt(boundaries, location === 'left' ? column : column + 1))
        const ending = child(element, 'ending')
        const numbers = ending?.attributes.type === 'start' && ending.attributes.number?.match(/\d+/g)
        if (numbers) endings[column] = `[${numbers.join(',')} `
      }
    }
  }
  const [, ...after] = Array.from({ length: endings.length + 1 }, (_, place) => signOf(boundaries[place]))
  return { start: boundaries[0]?.forward ? '|:' : '', after, endings }
}

function boundaryAt(boundaries: Boundary[], place: number): Boundary {
  boundaries[place] ??= { style: undefined, backward: false, forward: false }
  return boundaries[place]
}

function readBarLine(element: Element, boundary: Boundary): void {
  boundary.style ??= childText(element, 'bar-style')
  const direction = child(element, 'repeat')?.attributes.direction
  if (direction === 'forward') boundary.forward = true
  else if (direction === 'backward') boundary.backward = true
}

function signOf(boundary: Boundary | undefined): string {
  if (boundary === undefined) return '|'
  if (boundary.backward) return boundary.forward ? '::' : ':|'
  if (boundary.forward) return '|:'
  switch (boundary.style) {
    case 'light-light':
      return '||'
    case 'light-heavy':
    case 'heavy':
    case 'heavy-heavy':
      return '|]'
    case 'heavy-light':
      return '[|'
    case 'dashed':
    case 'dotted':
      return '.|'
    default:
      return '|'
  }
}
