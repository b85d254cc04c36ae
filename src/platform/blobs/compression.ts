import { promisify } from 'node:util'
import {
  constants,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'

import type { BlobsTable } from '../db/platform-tables.ts'

/** How bytes are stored: as a Zstandard frame (RFC 8878) with a checksum, or uncompressed. */
export type Compression = BlobsTable['compression']

export interface Packed {
  readonly compression: Compression
  readonly packed: Uint8Array
}

const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = constants
/**
 * Compresses 5 KB of MusicXML in 30 µs. Higher levels take at least twice the time and save another 5 %. The chunk is for the output,
 * which is mostly smaller; the default of 16 KiB takes a third more time.
 */
const quick: ZstdOptions = {
  params: { [ZSTD_c_compressionLevel]: 3, [ZSTD_c_checksumFlag]: 1 },
  chunkSize: 4096,
}
/** On scores of 100 KB and more, a third smaller than level 3. Takes 8 ms per megabyte. */
const slowOptions: ZstdOptions = { params: { [ZSTD_c_compressionLevel]: 6, [ZSTD_c_checksumFlag]: 1 } }

/** Up to this size, compression takes less time than the hand-over to another thread. */
const maxSyncBytes = 64 * 1024
/** Bytes that compress worse than this are stored uncompressed, for example MP3, PNG and MXL. */
const maxRatio = 0.9

const zstdCompressAsync = promisify(zstdCompress) as (
  bytes: Uint8Array,
  options: ZstdOptions,
) => Promise<Buffer>
const zstdDecompressAsync = promisify(zstdDecompress) as (
  bytes: Uint8Array,
  options: ZstdOptions,
) => Promise<Buffer>

/** Compresses the bytes if that makes them smaller. Large inputs are compressed in another thread. */
export async function pack(bytes: Uint8Array): Promise<Packed> {
  const sample = bytes.subarray(0, maxSyncBytes)
  const packedSample = zstdCompressSync(sample, { ...quick, pledgedSrcSize: sample.length })
  if (packedSample.length > sample.length * maxRatio) return { compression: 'none', packed: bytes }
  if (sample.length === bytes.length) return { compression: 'zstd', packed: packedSample }
  return { compression: 'zstd', packed: await zstdCompressAsync(bytes, slowOptions) }
}

/**
 * Returns the original bytes.
 * @param size number of the original bytes. Never decompresses more than that.
 * @throws Error if the frame is corrupt or has more bytes
 */
export async function unpack({ compression, packed }: Packed, size: number): Promise<Uint8Array> {
  if (compression === 'none') return packed
  const options = { maxOutputLength: Math.max(size, 1) }
  return size <= maxSyncBytes ? zstdDecompressSync(packed, options) : zstdDecompressAsync(packed, options)
}
