import type { Context } from '../../operation.ts'
import { scoreViews } from './store.ts'

const hourMilliseconds = 60 * 60 * 1000

/** The hour that views at this time count for. */
export const hourOf = (time: number): number => Math.floor(time / hourMilliseconds)

/**
 * A look at a score by another than its owner counts once an hour; it is written later, never in the read's path.
 * @param viewer an account, or the address of someone without one; it is stored as a hash that only we can make
 */
export function noteView(ctx: Context, score: { id: string; owner_id: string }, viewer: string): void {
  if (viewer === score.owner_id) return
  ctx.writeBehind.note(scoreViews, `${score.id}|${viewer}|${hourOf(ctx.clock.now())}`, 1)
}
