import { queryOptions } from '@tanstack/react-query'
import type {
  EduResource,
  EduResourceType,
  Grade,
  TeachingTheme,
} from '../../../src/contract/edu-resources.ts'
import type { Texts, TextKey } from '../../../src/texts/catalogue.ts'
import { call, callPage, Refusal } from '../app/client.ts'
import { errorText } from '../app/texts.ts'

/** The libraries, as requests and the addresses of pages name them: the own one, that of the school, and the included one. */
export const libraries = ['root', 'organization', 'flatEduContent'] as const
export type Library = (typeof libraries)[number]

/** The libraries to which a teacher can add. */
export const ownLibraries = ['root', 'organization'] as const satisfies readonly Library[]

export const isLibrary = (place: string): place is Library => libraries.some((library) => library === place)

/** Which resources of a place are wanted. A missing filter lets all of them through. */
export interface ResourceFilter {
  readonly type?: EduResourceType
  readonly subjects?: readonly TeachingTheme[]
  readonly grades?: readonly Grade[]
  /** Of the library of the school also what is in its folders. No other list can contain that. */
  readonly isDeep?: boolean
}

/** The key of everything that was read from libraries. */
export const resourcesKey = ['resources'] as const

/** The resources in a library or in a folder, folders first, by title. */
export const resourcesQuery = (place: string, { isDeep = false, ...filter }: ResourceFilter = {}) =>
  queryOptions({
    queryKey: [...resourcesKey, 'in', place, isDeep, filter],
    async queryFn() {
      const all: EduResource[] = []
      let next: string | null = null
      do {
        const page: { rows: EduResource[]; next: string | null } = await callPage('listEduResources', {
          query: {
            parent: place,
            withoutSubfoldersResources: !isDeep,
            sort: 'title',
            direction: 'asc',
            limit: 100,
            ...filter,
            ...(next !== null && { next }),
          } as object,
        })
        all.push(...page.rows)
        next = page.next
      } while (next !== null)
      return [...all.filter(({ type }) => type === 'folder'), ...all.filter(({ type }) => type !== 'folder')]
    },
  })

export const resourceQuery = (id: string) =>
  queryOptions({
    queryKey: [...resourcesKey, id],
    queryFn: () => call('getEduResource', { params: { resource: id } }),
  })

/** The folders above a resource, the outermost first. The library is not one of them. */
export const foldersAboveQuery = (id: string) =>
  queryOptions({
    queryKey: [...resourcesKey, id, 'above'],
    async queryFn({ client }) {
      const above: EduResource[] = []
      let { parent } = await client.fetchQuery({ ...resourceQuery(id), staleTime: 10_000 })
      while (parent !== undefined && !isLibrary(parent)) {
        const folder: EduResource = await client.fetchQuery({ ...resourceQuery(parent), staleTime: 10_000 })
        above.unshift(folder)
        parent = folder.parent
      }
      // The library of a colleague has no name.
      return { above, library: parent }
    },
  })

const refusals: Readonly<Record<string, TextKey>> = {
  ALREADY_IN_LIBRARY: 'resources.alreadyThere',
  FOLDERS_TOO_DEEP: 'resources.tooDeep',
  FOLDER_INTO_ITSELF: 'resources.intoItself',
  RESOURCES_OF_OTHERS: 'resources.ofOthers',
  RESOURCE_NOT_FOUND: 'resources.missingWhy',
}

/** Returns the message for the user about an error of an operation of libraries. */
export function resourceErrorText(texts: Texts, error: unknown): string {
  const known = error instanceof Refusal ? refusals[error.code] : undefined
  return known ? texts.text(known) : errorText(texts, error)
}
