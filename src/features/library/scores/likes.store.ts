import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ScoreLikesTable } from '../../../platform/db/score-tables.ts'
import { counterOf } from './counters.store.ts'

const likedIds = compiled((db, p: Params<{ user: string; ids: readonly string[] }>) =>
  db
    .selectFrom('score_likes')
    .where('user_id', '=', p('user'))
    .where(p.isIn('score_id', 'ids'))
    .select('score_id'),
)

/** Returns the ids of those of the scores that the user likes. */
export async function listLiked(
  queries: Queries,
  user: string | undefined,
  scores: readonly string[],
): Promise<ReadonlySet<string>> {
  if (user === undefined || scores.length === 0) return new Set()
  const rows = await likedIds(queries, { user, ids: scores })
  return new Set(rows.map(({ score_id }) => score_id))
}

const insertLike = insertion('score_likes', { orIgnore: true })

const removeLike = compiled((db, p: Params<{ user: string; score: string }>) =>
  db.deleteFrom('score_likes').where('user_id', '=', p('user')).where('score_id', '=', p('score')),
)

const changeLikeCount = counterOf('likes')

/** Stores a like. Does nothing if the user already likes the score. */
export async function saveLike(tx: Transaction, like: ScoreLikesTable): Promise<void> {
  const more = await insertLike(tx, like)
  if (more > 0) await changeLikeCount(tx, { score: like.score_id, more })
}

/** Removes a like. Does nothing if there is none. */
export async function deleteLike(tx: Transaction, like: { user: string; score: string }): Promise<void> {
  const fewer = await removeLike(tx, like)
  if (fewer > 0) await changeLikeCount(tx, { score: like.score, more: -fewer })
}

/** Removes all likes of a user. */
export async function deleteLikesOf(tx: Transaction, user: string): Promise<void> {
  const liked = await tx.selectFrom('score_likes').where('user_id', '=', user).select('score_id').execute()
  for (const { score_id: score } of liked) await deleteLike(tx, { user, score })
}
