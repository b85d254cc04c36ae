import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { createPictures } from './pictures.ts'

const pictures = createPictures()
afterAll(() => pictures.close())
const waiter = { caller: 'test' }
const square = { width: 40, height: 40 }

/** A picture that is red in its left half and blue in the right one. */
const twoColors = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'blue' } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: 'red' } },
      left: 0,
      top: 0,
    },
  ])

/** Whether the pixel is more red than blue. */
async function isRed(picture: Uint8Array, x: number, y: number): Promise<boolean> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return (data[at] ?? 0) > (data[at + 2] ?? 0)
}

it.each(['png', 'jpeg', 'webp'] as const)(
  'makes WebP of the size from %s, cut around the centre',
  async (format) => {
    const cropped = await pictures.crop(await twoColors(300, 100).toFormat(format).toBuffer(), square, waiter)
    expect(await sharp(cropped).metadata()).toMatchObject({ format: 'webp', ...square })
    expect([await isRed(cropped, 5, 20), await isRed(cropped, 35, 20)]).toEqual([true, false])
  },
)

it('turns a photo upright and drops what the camera noted', async () => {
  // Orientation 6: the top of the scene is the right side of the stored picture.
  const photo = await twoColors(100, 100)
    .jpeg()
    .withExif({ IFD0: { Artist: 'zqx' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const upright = await pictures.crop(photo, square, waiter)
  expect([await isRed(upright, 20, 5), await isRed(upright, 20, 35)]).toEqual([true, false])
  const { exif, orientation } = await sharp(upright).metadata()
  expect([exif, orientation]).toEqual([undefined, undefined])
})

it.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
  ['another format', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['only the first bytes', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['a broken file', async () => (await twoColors(300, 100).png().toBuffer()).subarray(0, 200)],
  [
    'more pixels than allowed',
    () =>
      sharp({
        create: { width: 10_000, height: 7_000, channels: 3, background: 'red' },
        limitInputPixels: false,
      })
        .png()
        .toBuffer(),
  ],
])('refuses %s', async (_what, file) => {
  await expect(pictures.crop(await file(), square, waiter)).rejects.toMatchObject({
    code: 'UNREADABLE_PICTURE',
  })
})
