import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { ScoreLikesTable } from '../../db/score-tables.ts'
import { counterOf } from './counters.ts'

const likedAmong = compiled((db, p: Params<{ user: string; ids: readonly string[] }>) =>
  db
    .selectFrom('score_likes')
    .where('user_id', '=', p('user'))
    .where('score_id', 'in', p.list('ids'))
    .select('score_id'),
)

/** Which of these scores the user likes. */
export async function listLiked(
  queries: Queries,
  user: string | undefined,
  scores: readonly string[],
): Promise<ReadonlySet<string>> {
  if (user === undefined || scores.length === 0) return new Set()
  const rows = await likedAmong(queries, { user, ids: scores })
  return new Set(rows.map(({ score_id }) => score_id))
}

const insertLike = insertion('score_likes', { orIgnore: true })

const removeLike = compiled((db, p: Params<{ user: string; score: string }>) =>
  db.deleteFrom('score_likes').where('user_id', '=', p('user')).where('score_id', '=', p('score')),
)

const addToLikes = counterOf('likes')

/** Likes a score; harmless where it is liked already. */
export async function saveLike(tx: Transaction, like: ScoreLikesTable): Promise<void> {
  const more = await insertLike(tx, like)
  if (more > 0) await addToLikes(tx, { score: like.score_id, more })
}

/** Likes it no longer. */
export async function deleteLike(tx: Transaction, like: { user: string; score: string }): Promise<void> {
  const fewer = await removeLike(tx, like)
  if (fewer > 0) await addToLikes(tx, { score: like.score, more: -fewer })
}

/** All that a user likes, no longer. */
export async function deleteLikesOf(tx: Transaction, user: string): Promise<void> {
  const liked = await tx.selectFrom('score_likes').where('user_id', '=', user).select('score_id').execute()
  for (const { score_id: score } of liked) await deleteLike(tx, { user, score })
}
