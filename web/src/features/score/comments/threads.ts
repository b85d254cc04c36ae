import { queryOptions } from '@tanstack/react-query'
import type { ScoreComment, ScoreCommentContext } from '../../../../../src/contract/score-comments.ts'
import { call } from '../../../app/client.ts'

/** A comment with the replies to it, oldest first. */
export interface Thread {
  readonly first: ScoreComment
  readonly replies: readonly ScoreComment[]
}

const keyOf = (sharingKey: string | undefined) => (sharingKey === undefined ? {} : { sharingKey })

export const commentsQuery = (score: string, sharingKey: string | undefined) =>
  queryOptions({
    queryKey: ['scores', score, 'comments'],
    queryFn: () =>
      call('getScoreComments', { params: { score }, query: { resolved: true, ...keyOf(sharingKey) } }),
  })

export const authorQuery = (user: string) =>
  queryOptions({
    queryKey: ['users', user],
    queryFn: () => call('getUser', { params: { user } }),
    staleTime: Infinity,
  })

/** @param comments oldest first. A reply whose first comment is missing is left out. */
export function threadsOf(comments: readonly ScoreComment[]): Thread[] {
  const replies = Map.groupBy(comments, ({ replyTo }) => replyTo)
  return (replies.get(undefined) ?? []).map((first) => ({ first, replies: replies.get(first.id) ?? [] }))
}

/** The measures that a comment is about. */
export interface Place {
  /** The uuids of the measures, in the order of the score. */
  readonly measures: readonly string[]
  readonly part: string
}

export const placeOf = ({ context }: ScoreComment): Place | undefined =>
  context && context.measureUuids.length > 0
    ? { measures: context.measureUuids, part: context.partUuid }
    : undefined

/** A comment on whole measures begins with the first one and ends with the last one. */
export const contextOf = ({ measures, part }: Place, quarters: number): ScoreCommentContext => ({
  partUuid: part,
  measureUuids: [...measures],
  startTimePos: 0,
  startDpq: positionsPerQuarter,
  stopTimePos: Math.round(quarters * positionsPerQuarter),
  stopDpq: positionsPerQuarter,
})

/** Fine enough for the lengths of all meters, and of measures that are not full. */
const positionsPerQuarter = 480

/** A piece of the text of a comment. A mention has the id of a user. */
export interface TextPiece {
  readonly text: string
  readonly user?: string
}

const mention = /@\[([0-9a-f]{24}):([^\]]{1,100})\]/g

/** Splits a comment with the markup of mentions. Only mentions that the server accepted are marked. */
export function piecesOf({ comment, rawComment, mentions = [] }: ScoreComment): TextPiece[] {
  // Clients disagree on which form has the markup.
  const marked = rawComment.includes('@[') ? rawComment : comment
  const pieces: TextPiece[] = []
  let end = 0
  for (const { 0: whole, 1: user = '', 2: name = '', index } of marked.matchAll(mention)) {
    pieces.push({ text: marked.slice(end, index) })
    pieces.push(mentions.includes(user) ? { text: `@${name}`, user } : { text: `@${name}` })
    end = index + whole.length
  }
  return [...pieces, { text: marked.slice(end) }].filter(({ text }) => text !== '')
}

/** A user who can be mentioned. */
export interface Reader {
  readonly id: string
  readonly username: string
}

/** Returns a text with markup as its author types it. */
export const typedText = (marked: string): string => marked.replaceAll(mention, '@$2')

/** Returns the users that a text with markup mentions. */
export const readersIn = (marked: string): Reader[] =>
  Array.from(marked.matchAll(mention), ([, id = '', username = '']) => ({ id, username }))

/** Marks the names of these users in a text. Longer names are found first: `@anna` is not `@ann`. */
export function markedText(typed: string, readers: readonly Reader[]): string {
  if (readers.length === 0) return typed
  const byLength = [...readers].sort((a, b) => b.username.length - a.username.length)
  const names = byLength.map(({ username }) => username.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return typed.replaceAll(new RegExp(`@(${names})(?![\\p{L}\\p{N}_-])`, 'gu'), (whole, name) => {
    const reader = byLength.find(({ username }) => username === name)
    return reader ? `@[${reader.id}:${name}]` : whole
  })
}
