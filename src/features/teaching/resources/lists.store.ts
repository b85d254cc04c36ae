import type { AssignmentType } from '../../../contract/assignments.ts'
import type { EduResourceType, Grade, ResourceSort, TeachingTheme } from '../../../contract/edu-resources.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../../platform/db/keyset.ts'
import type { EduResourcesTable } from '../../../platform/db/school-tables.ts'
import { type PageRequest, pageOf, pageStart } from '../../../lib/keyset.ts'
import type { PageCursors } from '../../../answer.ts'
import type { VisibleLocation } from './places.ts'
import { type FilterParams, isListed, isVisibleWith, type Openness, type ListScope } from './policy.ts'
import { gradeBits, subjectBits } from './sets.ts'

const columns = { creationDate: 'created_at', updateDate: 'updated_at', title: 'title_key' } as const

/**
 * The filter of a list. Each field accepts any of its values; an absent or empty field accepts everything.
 */
export interface ResourceFilter {
  type?: EduResourceType | undefined
  subjects?: readonly TeachingTheme[] | undefined
  assignmentTypes?: readonly AssignmentType[] | undefined
  grades?: readonly Grade[] | undefined
}

function filterParams(place: string, filter: ResourceFilter): FilterParams {
  const { type, subjects = [], assignmentTypes = [], grades = [] } = filter
  return {
    place,
    types: type ? [type] : ['assignment', 'folder'],
    subjects: subjectBits(subjects),
    grades: gradeBits(grades),
    anyAssignmentType: assignmentTypes.length === 0 ? 1 : 0,
    assignmentTypes,
  }
}

const pageQuery = forEachVariant((variant: KeysetVariant & ListScope & { sort: ResourceSort }) =>
  compiled((db, p: Params<KeysetParams & FilterParams>) => {
    const start = { key: p('key'), id: p('id') }
    const column = `edu_resources.${columns[variant.sort]}`
    const { where, orderBy, limit } = keyset(variant, column, 'edu_resources.id', start)
    return db
      .selectFrom('edu_resources')
      .selectAll()
      .where(isListed(variant, p as unknown as Params<FilterParams>))
      .where(where)
      .orderBy(orderBy)
      .limit(limit)
  }),
)

const countQuery = forEachVariant((scope: ListScope) =>
  compiled((db, p: Params<FilterParams>) =>
    db
      .selectFrom('edu_resources')
      .where(isListed(scope, p))
      .groupBy('type')
      .select(['type', (eb) => eb.fn.countAll<number>().as('count')]),
  ),
)

export interface ResourcePage {
  rows: EduResourcesTable[]
  cursors: PageCursors
  /** The numbers of resources in the whole list. */
  totals: { assignments: number; folders: number }
}

/** Returns a page of the resources in a place and the size of the whole list, with two queries. */
export async function listResources(
  queries: Queries,
  { place, openness, within }: Pick<VisibleLocation, 'place' | 'openness'> & Pick<ListScope, 'within'>,
  filter: ResourceFilter,
  request: PageRequest & { sort: ResourceSort },
): Promise<ResourcePage> {
  const { sort, direction } = request
  const start = pageStart(request, sort === 'title' ? 'string' : 'number')
  const { position, key, id, limit } = start
  const parameters = filterParams(place, filter)
  const scope = { within, openness }
  const [rows, counts] = await Promise.all([
    pageQuery({ sort, direction, position, limit, ...scope })(queries, { key, id, ...parameters }),
    countQuery(scope)(queries, parameters),
  ])
  const countOf = (type: EduResourceType) => counts.find((row) => row.type === type)?.count ?? 0
  return {
    ...pageOf(request, start, rows, (row) => row[columns[sort]]),
    totals: { assignments: countOf('assignment'), folders: countOf('folder') },
  }
}

const contentsOf = forEachVariant(({ openness }: Pick<ListScope, 'openness'>) =>
  compiled((db, p: Params<{ folders: readonly string[] }>) =>
    db
      .selectFrom('edu_resources')
      .where(p.isIn('place', 'folders'))
      .where(isVisibleWith(openness))
      .groupBy(['place', 'assignment_type'])
      .select(['place', 'assignment_type', (eb) => eb.fn.countAll<number>().as('count')]),
  ),
)

const setsWithin = forEachVariant(({ openness }: Pick<ListScope, 'openness'>) =>
  compiled((db, p: Params<{ folders: readonly string[] }>) =>
    db
      .withRecursive('held', (query) =>
        query
          .selectFrom('edu_resources')
          .where(p.isIn('place', 'folders'))
          .where(isVisibleWith(openness))
          .select(['place as folder', 'id', 'type', 'subjects', 'grades'])
          .unionAll(
            query
              .selectFrom('held')
              .innerJoin('edu_resources', 'edu_resources.place', 'held.id')
              .where('held.type', '=', 'folder')
              .where((eb) => isVisibleWith(openness)(eb as never))
              .select(['held.folder', 'edu_resources.id', 'edu_resources.type'])
              .select(['edu_resources.subjects', 'edu_resources.grades']),
          ),
      )
      .selectFrom('held')
      .where((eb) => eb.or([eb('subjects', '<>', 0), eb('grades', '<>', 0)]))
      .select(['folder', 'subjects', 'grades'])
      .distinct(),
  ),
)

/** The resources directly in a folder, and the subjects and grades of everything inside it, as bits. */
export interface FolderContents {
  count: number
  assignmentTypes: AssignmentType[]
  subjects: number
  grades: number
}

export const emptyFolder = (): FolderContents => ({ count: 0, assignmentTypes: [], subjects: 0, grades: 0 })

/** Returns the contents of these folders that a viewer with this openness can see, with two queries. */
export async function listFolderContents(
  queries: Queries,
  folders: readonly string[],
  openness: Openness,
): Promise<Map<string, FolderContents>> {
  const contents = new Map(folders.map((id) => [id, emptyFolder()]))
  if (folders.length === 0) return contents
  const [direct, sets] = await Promise.all([
    contentsOf({ openness })(queries, { folders }),
    setsWithin({ openness })(queries, { folders }),
  ])
  for (const { place, assignment_type, count } of direct) {
    const folder = contents.get(place)
    if (!folder) continue
    folder.count += count
    if (assignment_type) folder.assignmentTypes.push(assignment_type)
  }
  for (const { folder: id, subjects, grades } of sets) {
    const folder = contents.get(id)
    if (!folder) continue
    folder.subjects |= subjects
    folder.grades |= grades
  }
  return contents
}
