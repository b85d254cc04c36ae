const mebibyte = 1024 * 1024

/** Maximum number of bytes of a recording. */
export const maxRecordingBytes = 100 * mebibyte

/** Number of bytes of a part. Only the last part of a recording may have fewer than the least number. */
export const partBytes = { least: 64 * 1024, most: mebibyte } as const
