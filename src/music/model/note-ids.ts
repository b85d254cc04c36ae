/**
 * The id of a note or rest: the same in an engraved page (`id` of the notehead) and in a timeline. It is unique in a score, and
 * stays the same in a new revision while the measure keeps its notes.
 * @param measure the uuid of the measure, which all parts share
 * @param part the uuid of the part
 * @param index the place of the `note` element among those of this measure in this part, from 0
 */
export const noteIdOf = (measure: string, part: string, index: number): string =>
  `${measure}-${part}-${index}`
