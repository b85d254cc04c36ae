import type { ScoreTrackPoint } from '../../../contract/score-tracks.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { measureUuidsOf } from '../scores/measures.ts'
import { findRevision } from '../scores/revisions.store.ts'
import type { ScoreRow } from '../scores/store.ts'

/**
 * Checks the synchronization points of a recording and serializes them to JSON. The check uses the last
 * revision. A later revision can remove measures without invalidating existing tracks.
 * @throws INVALID_PARAMETER with the field of the first invalid point
 */
export async function serializeCheckedPoints(
  ctx: Context,
  score: ScoreRow,
  points: readonly ScoreTrackPoint[],
): Promise<string> {
  const checked = points.map((point, index) => checkedPoint(point, index, points))
  if (checked.some(({ type }) => type === 'measure')) {
    // Credits that are still pending do not change the measures.
    const last = await findRevision(ctx.db.read, { score: score.id, id: score.last_revision_id })
    if (!last) fail('REVISION_NOT_FOUND')
    const measures = await measureUuidsOf(ctx, last)
    const unknown = checked.findIndex(
      ({ measureUuid }) => measureUuid !== undefined && !measures.has(measureUuid),
    )
    if (unknown >= 0)
      failInvalid(unknown, 'measureUuid', 'is not a measure of the last revision of the score')
  }
  return JSON.stringify(checked)
}

/** Returns the number of bytes of serialized points, which count in the quota of the creator of the track. */
export const bytesOfPoints = (points: string): number => Buffer.byteLength(points)

function checkedPoint(
  { type, measureUuid, time }: ScoreTrackPoint,
  index: number,
  points: readonly ScoreTrackPoint[],
): ScoreTrackPoint {
  if (time <= (points[index - 1]?.time ?? -1))
    failInvalid(index, 'time', 'is not later than the point before it')
  if (type === 'measure') {
    return { type, measureUuid: measureUuid ?? failInvalid(index, 'measureUuid', 'is missing'), time }
  }
  if (index < points.length - 1) failInvalid(index, 'type', 'is allowed only for the last point')
  return { type, time }
}

function failInvalid(index: number, field: keyof ScoreTrackPoint, problem: string): never {
  const param = `synchronizationPoints.${index}.${field}`
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${problem}.` })
}
