import { job } from '../../jobs/job.ts'
import { deleteDueScore, listDueScores, type TrashedScore } from './store.ts'

const hour = 60 * 60 * 1000
const atATime = 100

/**
 * Deletes the scores whose time in the trash is over; one that was taken out of it meanwhile stays. It recurs, so that
 * none is forgotten whatever became of the run that it was meant for.
 */
export const deleteScoresJob = job({
  kind: 'delete-scores',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const failures: unknown[] = []
    let after: TrashedScore | undefined
    do {
      const due = await listDueScores(ctx.db.read, { now: ctx.clock.now(), after, limit: atATime })
      for (const { id } of due) {
        if (signal.aborted) return
        // One that cannot be deleted must not keep those behind it.
        await ctx.transaction((tx) => deleteDueScore(tx, id, ctx.clock.now())).catch((error) => failures.push(error))
      }
      after = due.at(-1)
    } while (after)
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} scores cannot be deleted`)
  },
})
