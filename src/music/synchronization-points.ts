import type { Timeline } from './timeline/played.ts'

/** Where the playback is at a time, in seconds from its beginning. */
export type SynchronizationPoint =
  | { readonly type: 'measure'; readonly measureUuid: string; readonly time: number }
  | { readonly type: 'end'; readonly time: number }

/**
 * One point for each measure as often as it is played, in the order of playing, and the end. Times are seconds, exact
 * to the millisecond. A measure without a uuid has no point: nothing could refer to it.
 */
export function synchronizationPointsOf(timeline: Timeline): SynchronizationPoint[] {
  const points: SynchronizationPoint[] = []
  for (const { uuid, startSeconds } of timeline.measures) {
    if (uuid !== undefined) points.push({ type: 'measure', measureUuid: uuid, time: toMilliseconds(startSeconds) })
  }
  points.push({ type: 'end', time: toMilliseconds(timeline.durationSeconds) })
  return points
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
