/** When a session or token ends: when it expires, or earlier when it reaches the maximum age. Infinity for never. */
export const endOf = (
  { created_at, expires_at }: { created_at: number; expires_at: number | null },
  maxAge: number | null,
): number =>
  Math.min(expires_at ?? Number.POSITIVE_INFINITY, created_at + (maxAge ?? Number.POSITIVE_INFINITY))

/** The same time as a column value: null for never. */
export const endColumnOf = (...credential: Parameters<typeof endOf>): number | null => {
  const end = endOf(...credential)
  return end === Number.POSITIVE_INFINITY ? null : end
}
