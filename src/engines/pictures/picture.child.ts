import sharp from 'sharp'
import { Failure } from '../../errors.ts'
import { serveJobs } from '../hosts/serve-jobs.ts'

/** A picture to crop. Its first bytes are those of PNG, JPEG or WebP. */
export interface PictureJob {
  readonly bytes: Uint8Array
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** Pixels of the largest picture that is read. The cameras of phones take up to 50 million. */
const maxPixels = 64_000_000
const quality = 82

// The library also knows formats that run scripts or other programs.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

serveJobs<PictureJob>(async ({ bytes, width, height }) => {
  try {
    return await sharp(bytes, { limitInputPixels: maxPixels })
      .autoOrient()
      .resize(width, height, { fit: 'cover' })
      .webp({ quality })
      .toBuffer()
  } catch (cause) {
    throw new Failure('UNREADABLE_PICTURE', { param: 'image', cause })
  }
})
