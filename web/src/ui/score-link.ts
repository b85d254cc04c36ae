import type { ScoreDetails } from '../../../src/contract/scores.ts'

/** Returns the address of a score, with its sharing key if everyone who has the link can open it. */
export const linkTo = ({
  htmlUrl,
  privacy,
  sharingKey,
}: Pick<ScoreDetails, 'htmlUrl' | 'privacy' | 'sharingKey'>): string =>
  privacy === 'privateLink' && sharingKey !== undefined
    ? `${htmlUrl}?${new URLSearchParams({ sharingKey })}`
    : htmlUrl
