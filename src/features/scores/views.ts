import type { Context } from '../../operation.ts'
import { scoreViews } from './store.ts'

const hourMilliseconds = 60 * 60 * 1000

/** A look at a score by another than its owner counts once an hour; it is written later, never in the read's path. */
export function noteView(ctx: Context, score: { id: string; owner_id: string }, viewer: string): void {
  if (viewer === score.owner_id) return
  const hour = Math.floor(ctx.clock.now() / hourMilliseconds)
  ctx.writeBehind.note(scoreViews, `${score.id}|${viewer}|${hour}`, 1)
}
