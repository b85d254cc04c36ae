import { promisify } from 'node:util'
import {
  constants,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'

import type { BlobsTable } from '../db/tables.ts'

/** How bytes are kept: as a Zstandard frame (RFC 8878) with its checksum, or as they are. */
export type Compression = BlobsTable['compression']

export interface Packed {
  readonly compression: Compression
  readonly packed: Uint8Array
}

const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = constants
/** 5 KB of MusicXML in 30 µs. Higher levels take twice the time and more, for a twentieth of the size. */
const quick: ZstdOptions = { params: { [ZSTD_c_compressionLevel]: 3, [ZSTD_c_checksumFlag]: 1 } }
/** A third smaller than level 3 on scores of 100 KB and more, at 8 ms a megabyte. */
const thorough: ZstdOptions = { params: { [ZSTD_c_compressionLevel]: 6, [ZSTD_c_checksumFlag]: 1 } }

/** Up to here compressing takes less time than handing it to another thread. */
const quickBytes = 64 * 1024
/** What shrinks by less than this is kept as it is: MP3, PNG, MXL and the like. */
const worthwhileRatio = 0.9

const zstdCompressApart = promisify(zstdCompress) as (bytes: Uint8Array, options: ZstdOptions) => Promise<Buffer>
const zstdDecompressApart = promisify(zstdDecompress) as (bytes: Uint8Array, options: ZstdOptions) => Promise<Buffer>

/** Packs the bytes if that is worthwhile, apart from the event loop when they are many. */
export async function pack(bytes: Uint8Array): Promise<Packed> {
  const sample = bytes.subarray(0, quickBytes)
  const packedSample = zstdCompressSync(sample, quick)
  if (packedSample.length > sample.length * worthwhileRatio) return { compression: 'none', packed: bytes }
  if (sample.length === bytes.length) return { compression: 'zstd', packed: packedSample }
  return { compression: 'zstd', packed: await zstdCompressApart(bytes, thorough) }
}

/**
 * The bytes that were packed.
 * @param size how many they were; more are never inflated
 * @throws Error when the frame is broken or longer than that
 */
export async function unpack({ compression, packed }: Packed, size: number): Promise<Uint8Array> {
  if (compression === 'none') return packed
  const options = { maxOutputLength: Math.max(size, 1) }
  return size <= quickBytes ? zstdDecompressSync(packed, options) : zstdDecompressApart(packed, options)
}
