import Type, { type Static } from 'typebox'
import { DateTime, List, named, OneOf, Text, Title } from './schema.ts'

const ScoreCommentContext = named(
  'ScoreCommentContext',
  Type.Object(
    {
      partUuid: Title(),
      staffIdx: Type.Optional(Type.Number({ deprecated: true, description: 'Superseded by `staffUuid`.' })),
      staffUuid: Type.Optional(Title()),
      measureUuids: List(Title()),
      startTimePos: Type.Number(),
      stopTimePos: Type.Number(),
      startDpq: Type.Number({
        description: 'Number of divisions per quarter note in `startTimePos`.',
      }),
      stopDpq: Type.Number({ description: 'Number of divisions per quarter note in `stopTimePos`.' }),
    },
    {
      description:
        'The position in the score that an inline comment refers to. The part and the measures must ' +
        'exist in the revision.',
    },
  ),
)
export type ScoreCommentContext = Static<typeof ScoreCommentContext>

export const ScoreCommentType = OneOf(['document', 'inline'], {
  description:
    'Whether the comment is about the whole score or about a position in it. A reply has the type ' +
    'of its thread.',
})

const text = (description: string) =>
  Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description })

const texts = {
  comment: text('Not blank. A mention is written `@[id:username]`.'),
  rawComment: text(
    'The other form of the text: without the markup of mentions if `comment` has it, otherwise with it. Mentions are ' +
      'stored only if both forms are given. Without `comment`, this field is the text.',
  ),
}

const revision = Type.Optional(
  Text({ description: 'The id of a revision of the score. Defaults to the last revision.' }),
)

export const ScoreCommentCreation = named(
  'ScoreCommentCreation',
  Type.Object({
    revision,
    comment: texts.comment,
    rawComment: Type.Optional(texts.rawComment),
    mentions: Type.Optional(
      List(Text(), { description: 'Not needed: the server reads the mentions from the texts.' }),
    ),
    replyTo: Type.Optional(
      Text({
        description:
          'The comment that this comment replies to. A reply to a reply belongs to the same thread.',
      }),
    ),
    context: Type.Optional(ScoreCommentContext),
  }),
)
export type ScoreCommentCreation = Static<typeof ScoreCommentCreation>

export const ScoreCommentUpdate = named(
  'ScoreCommentUpdate',
  Type.Object({
    revision,
    comment: Type.Optional(texts.comment),
    rawComment: Type.Optional(texts.rawComment),
    context: Type.Optional(ScoreCommentContext),
  }),
)
export type ScoreCommentUpdate = Static<typeof ScoreCommentUpdate>

export const ScoreComment = named(
  'ScoreComment',
  Type.Object({
    id: Type.String(),
    type: ScoreCommentType,
    user: Type.String({ description: 'The author of the comment.' }),
    score: Type.String(),
    revision: Type.Optional(Type.String()),
    replyTo: Type.Optional(Type.String({ description: 'The first comment of the thread.' })),
    date: DateTime,
    modificationDate: Type.Optional(DateTime),
    comment: Type.String(),
    rawComment: Type.String(),
    context: Type.Optional(ScoreCommentContext),
    mentions: Type.Optional(
      Type.Array(Type.String(), { description: 'Ids of the mentioned users who can read the score.' }),
    ),
    resolved: Type.Optional(Type.Boolean({ description: 'Whether the thread is resolved.' })),
    resolvedBy: Type.Optional(Type.String()),
    moderation: Type.Optional(
      named(
        'ScoreCommentModeration',
        Type.Object({
          hidden: Type.Optional(
            Type.Boolean({
              description: 'Hidden from all users except the author and the administrators of the score.',
            }),
          ),
          reason: Type.Optional(OneOf(['spam', 'inappropriate'])),
        }),
      ),
    ),
    spam: Type.Optional(Type.Boolean({ description: 'Whether the comment is hidden because it is spam.' })),
  }),
)
export type ScoreComment = Static<typeof ScoreComment>

export const scoreCommentParams = Type.Object({ score: Type.String(), comment: Type.String() })
export type ScoreCommentParams = Static<typeof scoreCommentParams>

export const scoreCommentQuery = Type.Object({ sharingKey: Type.Optional(Type.String()) })
