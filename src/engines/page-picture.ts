import { Resvg } from '@resvg/resvg-js'

/** Pixels; the proportions of a card in a library. */
const thumbnailSize = { width: 472, height: 354 }
/** White around the ink, as a share of the picture's width. */
const margin = 0.03

/** A thumbnail, and whether the music goes on to its lower edge. */
export interface Thumbnail {
  png: Uint8Array
  filled: boolean
}

/**
 * The top of a page as a small PNG on white: the page's own margins are cut off, so that the music is as large as it
 * can be.
 * @param svg a page as the engraving engine draws it, without background; all text in it is paths
 */
export function thumbnailOf(svg: string): Thumbnail {
  const picture = new Resvg(svg, {
    fitTo: { mode: 'width', value: thumbnailSize.width },
    background: 'white',
    font: { loadSystemFonts: false },
  })
  const box = picture.innerBBox()
  if (!box) return { png: picture.render().asPng(), filled: false }
  box.x -= box.width * margin
  box.y -= box.width * margin
  box.width *= 1 + 2 * margin
  box.height = (box.width * thumbnailSize.height) / thumbnailSize.width
  const filled = lowestStaffLine(svg) >= box.y + box.height
  picture.cropByBBox(box)
  return { png: picture.render().asPng(), filled }
}

/** How far down the page the music reaches, in the units of the page. */
function lowestStaffLine(svg: string): number {
  let lowest = 0
  for (const [, y] of svg.matchAll(/class="StaffLines"[^>]*points="[\d.-]+,([\d.-]+)/g)) {
    lowest = Math.max(lowest, Number(y))
  }
  return lowest
}
