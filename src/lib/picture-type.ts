/**
 * Returns the media type of a picture by its first bytes, for the formats that every browser shows and that cannot run
 * scripts: PNG, JPEG and WebP. Returns undefined for all others.
 */
export function pictureTypeOf(content: Uint8Array): 'image/png' | 'image/jpeg' | 'image/webp' | undefined {
  const start = Buffer.from(content.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined
}
