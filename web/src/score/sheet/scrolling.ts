import type { Sheet } from './sheet.ts'

/** A range of heights in the window, in pixels. */
export interface Band {
  readonly top: number
  readonly bottom: number
}

/** The part of the window that neither the tools nor the player cover. */
export function visibleBand(): Band {
  return {
    top: document.querySelector('.score-tools')?.getBoundingClientRect().bottom ?? 0,
    bottom: document.querySelector('.player')?.getBoundingClientRect().top ?? innerHeight,
  }
}

/** Scrolls the window. It jumps if the user prefers less motion. */
export function scrollSmoothly(top: number): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  scrollBy({ top, behavior: isCalm ? 'instant' : 'smooth' })
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
export const turnPage = (sheet: Sheet, direction: 1 | -1): void =>
  scrollSmoothly(turnBy(systemsOf(sheet), visibleBand(), direction))
