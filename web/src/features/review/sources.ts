import type { AssignmentSubmission } from '../../../../src/contract/submissions.ts'

/** A score of a work as it was handed in. */
export interface SubmittedScore {
  readonly score: string
  /** The id of the revision, or `last` for work that was not handed in. */
  readonly revision: string
  readonly title: string
  /** The recording that was handed in. */
  readonly track: string | undefined
}

/** Returns the scores of a work, those that were made for it first. */
export function sourcesOf({ attachments }: AssignmentSubmission): SubmittedScore[] {
  return attachments
    .toSorted((one, other) => Number(other.dedicated === true) - Number(one.dedicated === true))
    .flatMap(({ score, revision = 'last', title = '', track }) =>
      score === undefined ? [] : [{ score, revision, title, track }],
    )
}
