import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to an element when a change has removed the element that had it, so that the keyboard stays at its place.
 * @param shown differs between what is shown before and after the change; undefined until it has loaded
 */
export function useLostFocus(to: RefObject<HTMLElement | null>, shown: string | undefined): void {
  const last = useRef(shown)
  useEffect(() => {
    const before = last.current
    last.current = shown
    if (before === undefined || before === shown) return
    const focusIfLost = () => {
      const { activeElement } = document
      if (activeElement === null || activeElement === document.body)
        to.current?.focus({ preventScroll: true })
    }
    // A dialog that closes gives the focus back a frame later.
    const frame = requestAnimationFrame(() => requestAnimationFrame(focusIfLost))
    return () => cancelAnimationFrame(frame)
  }, [to, shown])
}
