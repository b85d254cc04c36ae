import type { ScoreTrackPoint } from '../../contract/score-tracks.ts'
import { fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { measureUuidsOf } from '../scores/measures.ts'
import { loadRevision } from '../scores/policy.ts'
import type { ScoreRow } from '../scores/store.ts'

/**
 * Checks the points of a recording of the score, and writes them down. A revision that is saved meanwhile is as one that is
 * saved afterwards: what it changes of the measures, it changes for tracks that are there already.
 * @throws INVALID_PARAMETER naming the field of a point that is wrong
 */
export async function checkedPoints(
  ctx: Context,
  score: ScoreRow,
  points: readonly ScoreTrackPoint[],
): Promise<string> {
  const checked = points.map((point, index) => inOrder(point, index, points))
  if (checked.some(({ type }) => type === 'measure')) {
    const measures = await measureUuidsOf(ctx, await loadRevision(ctx.db.read, score, 'last'))
    const unknown = checked.findIndex(({ measureUuid }) => measureUuid !== undefined && !measures.has(measureUuid))
    if (unknown >= 0) refuse(unknown, 'measureUuid', 'is no measure of the last revision of the score')
  }
  return JSON.stringify(checked)
}

function inOrder(
  { type, measureUuid, time }: ScoreTrackPoint,
  index: number,
  points: readonly ScoreTrackPoint[],
): ScoreTrackPoint {
  if (time <= (points[index - 1]?.time ?? -1)) refuse(index, 'time', 'is not later than the point before it')
  if (type === 'measure') {
    return { type, measureUuid: measureUuid ?? refuse(index, 'measureUuid', 'is missing'), time }
  }
  if (index < points.length - 1) refuse(index, 'type', 'must be that of the last point')
  return { type, time }
}

function refuse(index: number, field: keyof ScoreTrackPoint, what: string): never {
  const param = `synchronizationPoints.${index}.${field}`
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${what}.` })
}
