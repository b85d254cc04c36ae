/** Where the second eighth note of a beat falls when eighths swing, as a share of the beat. */
const EARLIEST = 0.57
const LATEST = 0.72
/** Beats with a swung eighth that a piece needs at least, and their share of the beats with a note inside. */
const FEWEST_BEATS = 12
const LEAST_SHARE = 0.7
/** Onsets that near to the beat are on it. */
const ON_BEAT = 0.1
/** The middle of a triplet. */
const [TRIPLET_FROM, TRIPLET_TO] = [0.27, 0.43]

/**
 * The place of the second eighth note in a swinging piece, as a share of the beat. Undefined if it does not swing: then the eighths are even,
 * or triplets have all three of their notes.
 * @param onsets in quarter notes from the beginning, of all parts together
 */
export function swingOf(onsets: readonly number[]): number | undefined {
  const beats = Map.groupBy(onsets, (at) => Math.floor(at + ON_BEAT))
  let counted = 0
  const late: number[] = []
  for (const [beat, all] of beats) {
    const inside = all.map((at) => at - beat).filter((at) => at > ON_BEAT)
    if (inside.length === 0) continue
    counted += 1
    if (inside.some((at) => at > TRIPLET_FROM && at < TRIPLET_TO)) continue
    const swung = inside.filter((at) => at >= EARLIEST && at <= LATEST)
    if (swung.length === inside.length) late.push(...swung)
  }
  const swinging = [...beats].filter(([beat, all]) =>
    all.some((at) => at - beat >= EARLIEST && at - beat <= LATEST),
  ).length
  if (swinging < FEWEST_BEATS || late.length < FEWEST_BEATS || swinging < LEAST_SHARE * counted)
    return undefined
  if (late.length < LEAST_SHARE * counted) return undefined
  return late.sort((a, b) => a - b)[late.length >> 1]
}

/** Moves a place so that the swung eighth note falls on the half of its beat. */
export function straightened(quarter: number, swing: number): number {
  const beat = Math.floor(quarter)
  const within = quarter - beat
  return beat + (within < swing ? within / (2 * swing) : 0.5 + (within - swing) / (2 * (1 - swing)))
}
