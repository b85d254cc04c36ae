import type { ScoreCommentUpdate } from '../../contract/score-comments.ts'
import type { Queries } from '../../db/database.ts'
import type { ScoreCommentsTable } from '../../db/score-tables.ts'
import type { Actor } from '../../operation.ts'
import { canSeeUser } from '../users/policy.ts'
import { listReadersAmong } from './store.ts'

const mention = /@\[([0-9a-f]{24}):([^\]]{1,100})\]/g

export type Texts = Pick<ScoreCommentsTable, 'comment' | 'raw_comment' | 'mentions'>

/**
 * What is written of the texts that were given: both forms as they are, or each made of the other, and whom they mention.
 * Which of the two has the markup, clients do not agree on. That somebody is mentioned is kept only where the author may
 * know of the person, and the person may read the score without being given its link.
 */
export async function textsOf(
  queries: Queries,
  actor: Actor,
  score: string,
  given: Pick<ScoreCommentUpdate, 'comment' | 'rawComment'>,
): Promise<Texts> {
  const comment = given.comment ?? withoutMarkup(given.rawComment ?? '')
  const mentioned = given.rawComment === undefined ? [] : idsIn(comment + given.rawComment)
  const readers = await listReadersAmong(queries, score, mentioned)
  const known = new Set(readers.filter((reader) => canSeeUser(actor, reader)).map(({ id }) => id))
  const mentions = JSON.stringify(mentioned.filter((id) => known.has(id)))
  return { comment, raw_comment: given.rawComment ?? comment, mentions }
}

/** In the order in which they are mentioned, each once. */
const idsIn = (text: string) => [...new Set(Array.from(text.matchAll(mention), ([, id = '']) => id))]

const withoutMarkup = (text: string) => text.replaceAll(mention, '@$2')
