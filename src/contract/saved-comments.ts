import Type, { type Static } from 'typebox'
import { maxSavedCommentLength } from './saved-comment-limits.ts'

/** A comment that a teacher has saved, to write it again on other works. */
export const SavedComment = Type.Object({ id: Type.String(), comment: Type.String() })
export type SavedComment = Static<typeof SavedComment>

/** Newest first. */
export const SavedComments = Type.Array(SavedComment)

export const NewSavedComment = Type.Object(
  { comment: Type.String({ minLength: 1, maxLength: maxSavedCommentLength }) },
  { additionalProperties: false },
)
