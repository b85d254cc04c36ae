/** A recording that the page plays itself, and where the measures of the score are in it. */
export interface Track {
  readonly id: string
  /** In the order of time. */
  readonly points: readonly { readonly time: number; readonly measureIdx: number }[]
}

interface Point {
  readonly type?: unknown
  readonly time?: unknown
  readonly location?: { readonly measureIdx?: unknown }
}

/**
 * Checks a track. Only those of the type `external` can be used: the embed loads nothing from other sites.
 * @throws Error
 */
export function trackOf(parameters: Readonly<Record<string, unknown>>, measures: number): Track {
  const { id, type, synchronizationPoints } = parameters
  if (typeof id !== 'string') throw new Error(`Parameter id should be a string, not ${typeof id}`)
  if (type !== 'external')
    throw new Error(
      `A track of the type ${String(type)} cannot be played: the embed loads nothing from other sites. Play it on your page, and set it as a track of the type external.`,
    )
  if (!Array.isArray(synchronizationPoints))
    throw new Error('Parameter synchronizationPoints should be a list.')
  const points = (synchronizationPoints as Point[]).map(({ type, time, location }) => {
    const measureIdx = type === 'end' ? measures : location?.measureIdx
    if (typeof time !== 'number' || typeof measureIdx !== 'number' || measureIdx < 0 || measureIdx > measures)
      throw new Error('A synchronization point has a time, and a location with a measureIdx of the score.')
    return { time, measureIdx }
  })
  if (points.length === 0) throw new Error('A track has at least one synchronization point.')
  return { id, points: points.sort((a, b) => a.time - b.time) }
}

/** Returns the measure at a time of a track, and which share of it has been played. Between two points, the measures are equally long. */
export function scoreTimeOf({ points }: Track, time: number): { measureIdx: number; share: number } {
  const at = Math.max(
    0,
    points.findLastIndex((point) => point.time <= time),
  )
  const [here, next] = [points[at], points[at + 1]]
  if (!here) return { measureIdx: 0, share: 0 }
  if (!next || next.time <= here.time || time < here.time) return { measureIdx: here.measureIdx, share: 0 }
  const place =
    here.measureIdx + ((time - here.time) / (next.time - here.time)) * (next.measureIdx - here.measureIdx)
  return { measureIdx: Math.floor(place), share: place - Math.floor(place) }
}
