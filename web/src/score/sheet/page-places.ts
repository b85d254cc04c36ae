/** The place of a measure on a page, in the units of the page, over all of its parts. */
export interface MeasurePlace {
  readonly uuid: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Joins the boxes of the parts of each measure. The order is that of the page.
 * @param boxes one for each part of each measure
 */
function joinedPlaces(boxes: readonly MeasurePlace[]): Map<string, MeasurePlace> {
  const places = new Map<string, MeasurePlace>()
  for (const box of boxes) {
    const known = places.get(box.uuid)
    if (!known) places.set(box.uuid, box)
    else {
      const [x, y] = [Math.min(known.x, box.x), Math.min(known.y, box.y)]
      const right = Math.max(known.x + known.width, box.x + box.width)
      const bottom = Math.max(known.y + known.height, box.y + box.height)
      places.set(box.uuid, { uuid: box.uuid, x, y, width: right - x, height: bottom - y })
    }
  }
  return places
}

/** Returns the places of the measures on a page. */
export function placesOn(svg: SVGSVGElement): Map<string, MeasurePlace> {
  const boxes = [...svg.querySelectorAll<SVGRectElement>('rect[data-measure]')].map((rect) => ({
    uuid: rect.dataset.measure ?? '',
    x: rect.x.baseVal.value,
    y: rect.y.baseVal.value,
    width: rect.width.baseVal.value,
    height: rect.height.baseVal.value,
  }))
  return joinedPlaces(boxes)
}
