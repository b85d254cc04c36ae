import { useEffect, useEffectEvent } from 'react'
import { showSideways } from './scrolling.ts'
import type { Sheet } from './sheet.ts'

/** A measure to show. A new object shows it again. */
export interface GoToMeasure {
  readonly measure: string
}

/**
 * Scrolls to a measure. Pages are loaded until it is there.
 * @param wantMore is called when the measure is on no page that was loaded
 */
export function useGoToMeasure(sheet: Sheet, goTo: GoToMeasure | undefined, wantMore: () => void): void {
  const more = useEffectEvent(wantMore)
  useEffect(() => {
    if (!goTo) return
    const stop = sheet.subscribe(show)
    function show() {
      const found = goTo && sheet.find(goTo.measure)
      if (!found) return more()
      stop()
      const { svg, place } = found
      const page = svg.getBoundingClientRect()
      const left = page.left + (place.x * page.width) / svg.viewBox.baseVal.width
      if (showSideways({ left, right: left + 1 })) return
      const top = page.top + (place.y * page.height) / svg.viewBox.baseVal.height
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
      scrollBy({ top: top - innerHeight / 4, behavior: isCalm ? 'instant' : 'smooth' })
    }
    show()
    return () => void stop()
  }, [sheet, goTo])
}
