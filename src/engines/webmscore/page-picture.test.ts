import { expect, test } from 'vitest'
import { thumbnailOf } from './page-picture.ts'

/** An A4 page as the engine draws it, with a staff line at each height. */
function page(heights: number[], length = 2400) {
  const lines = heights.map(
    (y) =>
      `<polyline class="StaffLines" fill="none" stroke="#000000" stroke-width="3" points="200,${y} ${200 + length},${y}"/>`,
  )
  return `<svg width="2977px" height="4208px" viewBox="0 0 2977 4208" xmlns="http://www.w3.org/2000/svg">${lines.join('')}</svg>`
}

const sizeOf = (png: Uint8Array) => [16, 20].map((at) => Buffer.from(png).readUInt32BE(at))

test.each([
  ['a page full of music', page([300, 2000, 4000]), true],
  ['a page with music only in its upper part', page([300, 1500]), false],
  ['a few notes, which are not enlarged', page([300, 900], 100), false],
  ['a page without music', page([]), false],
])('renders %s as a picture of one size and reports whether the music fills it', (_what, svg, isFilled) => {
  const { png, filled } = thumbnailOf(svg)
  expect(sizeOf(png)).toEqual([472, 354])
  expect(filled).toBe(isFilled)
})
