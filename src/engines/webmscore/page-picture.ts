import { Resvg } from '@resvg/resvg-js'

/** Pixels, in the proportions of a card in the library. */
const thumbnailSize = { width: 472, height: 354 }
/** White space around the music, as a share of the picture's width. */
const margin = 0.03
/** The minimum share of the page's width that is shown. Without it, a few notes would be enormous. */
const leastShare = 0.8

const options = {
  fitTo: { mode: 'width', value: thumbnailSize.width },
  background: 'white',
  font: { loadSystemFonts: false },
} as const
/** The area of an empty page. */
const top = { left: 0, top: 0, right: thumbnailSize.width, bottom: thumbnailSize.height }

/** A thumbnail, and whether the music continues to its lower edge. */
export interface Thumbnail {
  png: Uint8Array
  filled: boolean
}

/**
 * Renders the top of a page as a small PNG on white. Cuts off the page's margins, so that the music is as
 * large as possible.
 * @param svg a page as the engraving engine draws it, without background; all text in it is paths
 */
export function thumbnailOf(svg: string): Thumbnail {
  const picture = new Resvg(svg, options)
  const box = picture.innerBBox()
  if (!box) return { png: new Resvg(svg, { ...options, crop: top }).render().asPng(), filled: false }
  const left = Math.min(box.x, (picture.width * (1 - leastShare)) / 2)
  const right = Math.max(box.x + box.width, (picture.width * (1 + leastShare)) / 2)
  const white = (right - left) * margin
  box.x = left - white
  box.y -= white
  box.width = right - left + 2 * white
  box.height = (box.width * thumbnailSize.height) / thumbnailSize.width
  const filled = lowestStaffLine(svg) >= box.y + box.height
  picture.cropByBBox(box)
  return { png: picture.render().asPng(), filled }
}

/** The lowest position of a staff line, in units of the page. */
function lowestStaffLine(svg: string): number {
  let lowest = 0
  for (const [, y] of svg.matchAll(/class="StaffLines"[^>]*points="[\d.-]+,([\d.-]+)/g)) {
    lowest = Math.max(lowest, Number(y))
  }
  return lowest
}
