import type { ScoreCommentUpdate } from '../../../contract/score-comments.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { ScoreCommentsTable } from '../../../platform/db/score-tables.ts'
import type { Actor } from '../../../actor.ts'
import { canSeeUser } from '../../people/users/policy.ts'
import { listReadersAmong } from './store.ts'

const mention = /@\[([0-9a-f]{24}):([^\]]{1,100})\]/g

export type CommentTexts = Pick<ScoreCommentsTable, 'comment' | 'raw_comment' | 'mentions'>

/**
 * Returns the texts of a comment to store. If one form is missing, it is derived from the other. Clients
 * disagree on which form contains the markup, so mentions are collected from both. A mention is stored only
 * if the author can see the mentioned user and that user can read the score without its link.
 */
export async function commentTextsOf(
  queries: Queries,
  actor: Actor,
  score: string,
  texts: Pick<ScoreCommentUpdate, 'comment' | 'rawComment'>,
): Promise<CommentTexts> {
  const comment = texts.comment ?? withoutMarkup(texts.rawComment ?? '')
  const mentioned = texts.rawComment === undefined ? [] : idsIn(comment + texts.rawComment)
  const readers = await listReadersAmong(queries, score, mentioned)
  const known = new Set(readers.filter((reader) => canSeeUser(actor, reader)).map(({ id }) => id))
  const mentions = JSON.stringify(mentioned.filter((id) => known.has(id)))
  return { comment, raw_comment: texts.rawComment ?? comment, mentions }
}

/** Returns the mentioned ids in order, each once. */
const idsIn = (text: string) => [...new Set(Array.from(text.matchAll(mention), ([, id = '']) => id))]

const withoutMarkup = (text: string) => text.replaceAll(mention, '@$2')
