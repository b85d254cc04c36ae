/** The media types of recordings that the server stores. */
export const recordingMediaTypes = [
  'audio/webm',
  'video/webm',
  'audio/ogg',
  'video/ogg',
  'audio/mp4',
  'video/mp4',
  'audio/mpeg',
  'audio/wav',
  'audio/flac',
] as const
export type RecordingMediaType = (typeof recordingMediaTypes)[number]

/**
 * Returns the media type of a recording by its content: WebM (EBML, RFC 8794), Ogg (RFC 3533), MP4 (ISO 14496-12), MP3 (ISO
 * 11172-3, also with ID3), WAV, or FLAC (RFC 9639). Returns undefined for all others.
 * @param content the first bytes of the recording. A container counts as a video if they describe a track of pictures, and an
 * MP4 file also if its description is not in them and its brand is not that of audio files.
 */
export function recordingTypeOf(content: Uint8Array): RecordingMediaType | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x1aE\xdf\xa3')) return webmTypeOf(bytes)
  if (start.startsWith('OggS')) return hasAny(bytes, ['\x80theora']) ? 'video/ogg' : 'audio/ogg'
  if (start.slice(4, 8) === 'ftyp') return mp4TypeOf(bytes)
  if (start.startsWith('RIFF') && start.endsWith('WAVE')) return 'audio/wav'
  if (start.startsWith('fLaC')) return 'audio/flac'
  return start.startsWith('ID3') || isMpegFrame(bytes) ? 'audio/mpeg' : undefined
}

/** The names of a document type come in the header, which has fewer bytes. */
const headerBytes = 64

function webmTypeOf(bytes: Buffer): RecordingMediaType | undefined {
  // Matroska files with other codecs have the same form, but browsers do not play them.
  if (!hasAny(bytes.subarray(0, headerBytes), ['webm'])) return undefined
  return hasAny(bytes, ['V_VP8', 'V_VP9', 'V_AV1', 'V_MPEG4']) ? 'video/webm' : 'audio/webm'
}

function mp4TypeOf(bytes: Buffer): RecordingMediaType {
  if (bytes.toString('latin1', 8, 11) === 'M4A') return 'audio/mp4'
  const hasDescription = hasAny(bytes, ['moov'])
  return hasDescription && !hasAny(bytes, ['vide']) ? 'audio/mp4' : 'video/mp4'
}

const hasAny = (bytes: Buffer, marks: readonly string[]): boolean =>
  marks.some((mark) => bytes.includes(mark, 0, 'latin1'))

/** Whether the bytes begin with the header of a frame of layer III with a bit rate and a sampling rate. */
function isMpegFrame(bytes: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = bytes
  const isSynchronized = first === 0xff && (second & 0xe0) === 0xe0
  const isLayer3 = (second & 0x06) === 0x02 && (second & 0x18) !== 0x08
  return isSynchronized && isLayer3 && third >> 4 !== 15 && third >> 4 !== 0 && (third & 0x0c) !== 0x0c
}
