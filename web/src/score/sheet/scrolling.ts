import type { Sheet } from './sheet.ts'

/** A range of heights in the window, in pixels. */
export interface Band {
  readonly top: number
  readonly bottom: number
}

/** The part of the window that neither the tools nor a running recorder nor the player cover. */
export function visibleBand(): Band {
  const above = [...document.querySelectorAll('.score-tools, .recorder.is-running')]
  return {
    top: Math.max(0, ...above.map((element) => element.getBoundingClientRect().bottom)),
    bottom: document.querySelector('.player')?.getBoundingClientRect().top ?? innerHeight,
  }
}

/** Scrolls the window. It jumps if the user prefers less motion. */
export function scrollSmoothly(top: number): void {
  scrollBy({ top, behavior: calmly() })
}

/** The sheet that scrolls sideways. Undefined if its pages are one below the other. */
const sidewaysSheet = (): Element | null => document.querySelector('.sheet:is(.in-pages, .in-line)')

const calmly = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'

/**
 * Shows a place in a sheet that scrolls sideways.
 * @param isEarly also scrolls if the place is near the right edge, so that what follows is visible
 * @returns false if the sheet does not scroll sideways
 */
export function showSideways(
  place: { readonly left: number; readonly right: number },
  isEarly = false,
): boolean {
  const sheet = sidewaysSheet()
  if (!sheet) return false
  const { left, width } = sheet.getBoundingClientRect()
  const isPaged = sheet.classList.contains('in-pages')
  const limit = left + width * (isEarly && !isPaged ? 0.8 : 1)
  // The edge of a page is where the sheet stops by itself.
  const target = isPaged ? left : left + width * 0.1
  if (place.left < left || place.right > limit)
    sheet.scrollBy({ left: place.left - target, behavior: calmly() })
  return true
}

/** Pixels between the upper edge of the band and the system below it. */
const margin = 16

/**
 * Returns by how much to scroll for the next screen of music, or the one before. No system is cut that was not seen as a whole.
 * @param systems the places of the systems in the window, from the top
 */
export function turnBy(systems: readonly Band[], { top, bottom }: Band, direction: 1 | -1): number {
  const height = bottom - top
  const whole = direction * height * 0.9
  if (direction === 1) {
    // Half a pixel is rounding.
    const next = systems.find((system) => system.bottom > bottom + 0.5 && system.top > top + margin + 0.5)
    return next ? Math.min(next.top - top - margin, whole) : whole
  }
  const first = systems.find((system) => system.top >= top - 0.5)
  const end = first?.top ?? bottom
  const target = systems.find((system) => system.top < end && system.top + height - margin >= end)
  return target && target !== first ? Math.max(target.top - top - margin, whole) : whole
}

/** Returns the places of the systems that are on loaded pages. Measures that overlap in height are one system. */
function systemsOf(sheet: Sheet): Band[] {
  const bands = [...sheet.pages()]
    .flatMap(({ svg, places }) => {
      const box = svg.getBoundingClientRect()
      const scale = box.height / svg.viewBox.baseVal.height
      return [...places.values()].map(({ y, height }) => ({
        top: box.top + y * scale,
        bottom: box.top + (y + height) * scale,
      }))
    })
    .sort((a, b) => a.top - b.top)
  const systems: Band[] = []
  for (const band of bands) {
    const last = systems.at(-1)
    if (last && band.top < last.bottom)
      systems[systems.length - 1] = { top: last.top, bottom: Math.max(last.bottom, band.bottom) }
    else systems.push(band)
  }
  return systems
}

/** Shows the next screen of music, or the one before. */
export function turnPage(sheet: Sheet, direction: 1 | -1): void {
  const sideways = sidewaysSheet()
  if (sideways) sideways.scrollBy({ left: direction * stepOf(sideways), behavior: calmly() })
  else scrollSmoothly(turnBy(systemsOf(sheet), visibleBand(), direction))
}

/** As many whole pages as fit, or most of the visible line. */
function stepOf(sheet: Element): number {
  const [first, second] = sheet.querySelectorAll('.sheet-page')
  if (!first || !second) return sheet.clientWidth * 0.85
  const page = second.getBoundingClientRect().left - first.getBoundingClientRect().left
  return Math.max(1, Math.floor((sheet.clientWidth + 1) / page)) * page
}
