import { sortKey } from '../../../lib/sort-key.ts'

/** Sorts after every name. */
const unknown = '\uffff'

/** Sorts before every character of a name, so that the titles of one composer follow each other. */
const separator = '\u0001'

/** An entry of an index of PostgreSQL has at most 2,700 bytes. */
const longestName = 100

/**
 * Returns the text by which a list is sorted by composer: scores of one composer are in the order of their titles, and those without a
 * composer come last.
 * @param titleKey the sort key of the title
 */
export const composerKey = (composer: string | null, titleKey: string): string =>
  (sortKey(composer ?? '').slice(0, longestName) || unknown) + separator + titleKey
