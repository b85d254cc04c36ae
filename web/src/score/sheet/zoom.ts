import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useStoredSetting } from '../stored-setting.ts'

/** In percent of the width that fits the window. */
export const zoomRange = { least: 50, most: 300, step: 10 } as const

const within = (percent: number) => Math.round(Math.max(zoomRange.least, Math.min(zoomRange.most, percent)))

/** Returns the zoom of the pages, which the reader's device remembers. */
export function useZoom(): [percent: number, zoomTo: (percent: number) => void] {
  const [zoom, setZoom] = useStoredSetting('zoom', 100, (text) => {
    const value = Number(text)
    return value > 0 ? within(value) : undefined
  })
  return [zoom, (percent) => setZoom(within(percent))]
}

/** Lets two fingers, or the wheel with Ctrl, zoom an element instead of the window. */
export function usePinch(
  element: RefObject<HTMLElement | null>,
  zoom: number,
  zoomTo: (percent: number) => void,
): void {
  const current = useEffectEvent(() => zoom)
  const change = useEffectEvent(zoomTo)
  useEffect(() => {
    const target = element.current
    if (!target) return
    let start: { distance: number; zoom: number } | undefined
    const distanceOf = ({ touches: [first, second] }: TouchEvent) =>
      first && second ? Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY) : 0
    function onTouchStart(event: TouchEvent) {
      start = event.touches.length === 2 ? { distance: distanceOf(event), zoom: current() } : undefined
    }
    function onTouchMove(event: TouchEvent) {
      if (!start || event.touches.length !== 2) return
      event.preventDefault()
      change((start.zoom * distanceOf(event)) / start.distance)
    }
    function onWheel(event: WheelEvent) {
      if (!event.ctrlKey) return
      event.preventDefault()
      change(current() * Math.exp(-event.deltaY / 200))
    }
    target.addEventListener('touchstart', onTouchStart, { passive: true })
    target.addEventListener('touchmove', onTouchMove, { passive: false })
    target.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      target.removeEventListener('touchstart', onTouchStart)
      target.removeEventListener('touchmove', onTouchMove)
      target.removeEventListener('wheel', onWheel)
    }
  }, [element])
}
