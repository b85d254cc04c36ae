import type { Timeline } from './played.ts'
import { toMilliseconds } from './tempo-changes.ts'

/** The position of the playback at a time, in seconds from its start. */
export type SynchronizationPoint =
  | { readonly type: 'measure'; readonly measureUuid: string; readonly time: number }
  | { readonly type: 'end'; readonly time: number }

/**
 * Returns a point for each time that a measure is played, in the order of playing, and one for the end. Times
 * are in seconds with milliseconds. A measure without a uuid has no point, because a point could not refer to
 * it.
 */
export function synchronizationPointsOf(timeline: Timeline): SynchronizationPoint[] {
  const points: SynchronizationPoint[] = []
  for (const { uuid, startSeconds } of timeline.measures) {
    if (uuid !== undefined)
      points.push({ type: 'measure', measureUuid: uuid, time: toMilliseconds(startSeconds) })
  }
  points.push({ type: 'end', time: toMilliseconds(timeline.durationSeconds) })
  return points
}
