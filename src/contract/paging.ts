import Type from 'typebox'
import { OneOf } from './schema.ts'

/** The query parameters of every paged list. */
export const pagingQuery = {
  sort: Type.Optional(OneOf(['creationDate', 'modificationDate', 'title'])),
  direction: Type.Optional(OneOf(['asc', 'desc'])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  next: Type.Optional(Type.String({ description: 'Cursor of the next page, from the `Link` header.' })),
  previous: Type.Optional(
    Type.String({ description: 'Cursor of the previous page, from the `Link` header.' }),
  ),
}

export type ListSort = 'creationDate' | 'modificationDate' | 'title'

/** The orders of the scores of a collection. */
export const scoreSorts = ['creationDate', 'modificationDate', 'title', 'composer', 'duration'] as const
export type ScoreSort = (typeof scoreSorts)[number]

/** The header of every page. */
export const linkHeader = {
  Link: Type.String({
    description: 'Addresses of the neighbouring pages, with `rel="next"` and `rel="previous"`.',
  }),
}

/** Fills in the defaults of a paged request. Titles and composers are sorted ascending by default, dates and durations descending. */
export function pageRequest<Sort extends string = ListSort>(
  query: { sort?: Sort; direction?: 'asc' | 'desc'; limit?: number; next?: string; previous?: string },
  usual: Sort,
) {
  const sort = query.sort ?? usual
  return {
    sort,
    direction: query.direction ?? (sort === 'title' || sort === 'composer' ? 'asc' : 'desc'),
    limit: query.limit ?? 25,
    next: query.next,
    previous: query.previous,
  } as const
}
