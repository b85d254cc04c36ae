import { behindInk } from './engraved-page.ts'
import { type MeasurePlace, placesOn } from './page-places.ts'

/** A measure that is on a page that was loaded. */
interface FoundMeasure {
  readonly svg: SVGSVGElement
  /** The number of the page, from 1. */
  readonly page: number
  readonly place: MeasurePlace
}

interface ShownPage {
  readonly svg: SVGSVGElement
  readonly places: ReadonlyMap<string, MeasurePlace>
  readonly notes: ReadonlyMap<string, readonly SVGElement[]>
}

/** The pages of a score that are shown, and what is where on them. */
export interface Sheet {
  /** Adds a page. Returns a function that removes it. */
  add(page: number, svg: SVGSVGElement): () => void
  find(measure: string): FoundMeasure | undefined
  /** The noteheads of a note. */
  note(id: string): readonly SVGElement[]
  has(page: number): boolean
  pages(): Iterable<ShownPage>
  /** Calls the listener after pages came or went. */
  subscribe(listener: () => void): () => void
}

export function createSheet(): Sheet {
  const shown = new Map<number, ShownPage>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  return {
    add(number, svg) {
      const page = { svg, places: placesOn(svg), notes: notesOn(svg) }
      shown.set(number, page)
      tell()
      return () => {
        if (shown.get(number) === page) shown.delete(number)
        tell()
      }
    },
    find(measure) {
      for (const [page, { svg, places }] of shown) {
        const place = places.get(measure)
        if (place) return { svg, page, place }
      }
      return undefined
    },
    note(id) {
      for (const { notes } of shown.values()) {
        const found = notes.get(id)
        if (found) return found
      }
      return []
    },
    has: (page) => shown.has(page),
    pages: () => shown.values(),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function notesOn(svg: SVGSVGElement): Map<string, SVGElement[]> {
  const notes = new Map<string, SVGElement[]>()
  for (const element of svg.querySelectorAll<SVGElement>('[data-note]')) {
    const id = element.dataset.note ?? ''
    notes.set(id, [...(notes.get(id) ?? []), element])
  }
  return notes
}

/** Draws a rectangle around a measure, below the ink of its page. */
export function drawBehind({ svg, place }: FoundMeasure, className: string, margin: number): SVGRectElement {
  const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  rect.classList.add(className)
  rect.dataset.of = place.uuid
  rect.setAttribute('x', String(place.x))
  rect.setAttribute('y', String(place.y - margin))
  rect.setAttribute('width', String(place.width))
  rect.setAttribute('height', String(place.height + 2 * margin))
  behindInk(svg, rect)
  return rect
}
