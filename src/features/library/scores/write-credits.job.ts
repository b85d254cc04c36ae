import { job } from '../../../platform/queue/job.ts'
import { writeCredits } from './write-credits.ts'

/** Writes edited credits into the document, so that the history of the score shows the edit without a reader. */
export const writeCreditsJob = job({
  kind: 'write-credits',
  async handle(ctx, { user, score }, { signal }) {
    await writeCredits(ctx, score, { caller: user, signal, isPatient: true })
  },
})
