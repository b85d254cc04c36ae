import sharp from 'sharp'

/** Returns a picture of one color as a PNG. */
export const pngOf = (width: number, height: number, color = 'teal'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer()
