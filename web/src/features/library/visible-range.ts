import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** The items of a long list that are in or near the window, and the space that the others would take, in pixels. */
export interface VisibleRange {
  readonly first: number
  /** The index after the last item. */
  readonly end: number
  readonly before: number
  readonly after: number
}

/** A shorter list is always whole. */
const minLength = 150
/** Rows beside the window that are there before the user scrolls to them. */
const rowsAround = 6

/**
 * Keeps the document small: of a long list only the items near the window exist. All rows have the same height, which is measured.
 * @param list a grid in CSS, whose children are the items of the range
 */
export function useVisibleRange(list: RefObject<HTMLElement | null>, length: number): VisibleRange {
  const [range, setRange] = useState<VisibleRange>({ first: 0, end: minLength, before: 0, after: 0 })
  const isLong = length > minLength

  useLayoutEffect(() => {
    if (isLong && list.current) setRange((shown) => measured(list.current, length, shown))
  }, [isLong, length, list])
  useEffect(() => {
    if (!isLong) return
    let frame = 0
    const update = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setRange((shown) => measured(list.current, length, shown)))
    }
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [isLong, length, list])
  return isLong ? range : { first: 0, end: length, before: 0, after: 0 }
}

function measured(list: HTMLElement | null, length: number, shown: VisibleRange): VisibleRange {
  const item = list?.firstElementChild
  if (!list || !item) return shown
  const style = getComputedStyle(list)
  const columns = style.gridTemplateColumns.split(' ').length
  const height = item.getBoundingClientRect().height + (Number.parseFloat(style.rowGap) || 0)
  const rows = Math.ceil(length / columns)
  const scrolled = -list.getBoundingClientRect().top
  const firstRow = Math.min(Math.max(Math.floor(scrolled / height) - rowsAround, 0), rows)
  const endRow = Math.min(Math.max(Math.ceil((scrolled + innerHeight) / height) + rowsAround, firstRow), rows)
  const first = firstRow * columns
  const end = Math.min(endRow * columns, length)
  if (first === shown.first && end === shown.end && shown.after === (rows - endRow) * height) return shown
  return { first, end, before: firstRow * height, after: (rows - endRow) * height }
}
