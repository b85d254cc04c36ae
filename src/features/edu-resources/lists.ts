import type { AssignmentType } from '../../contract/assignments.ts'
import type { EduResourceType, Grade, ResourceSort, TeachingTheme } from '../../contract/edu-resources.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../db/keyset.ts'
import type { EduResourcesTable } from '../../db/school-tables.ts'
import { type PageRequest, pageOf, pageStart } from '../../lib/keyset.ts'
import type { PageCursors } from '../../operation.ts'
import type { OpenPlace } from './places.ts'
import { type FilterParams, isListed, isOpen, type Openness, type Reach } from './policy.ts'
import { gradeBits, subjectBits } from './sets.ts'

const columns = { creationDate: 'created_at', updateDate: 'updated_at', title: 'title_key' } as const

/** What of a place is asked for: any of the given values, everything where none is given. */
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

const listed = forEachVariant((variant: KeysetVariant & Reach & { sort: ResourceSort }) =>
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

const counted = forEachVariant((reach: Reach) =>
  compiled((db, p: Params<FilterParams>) =>
    db
      .selectFrom('edu_resources')
      .where(isListed(reach, p))
      .groupBy('type')
      .select(['type', (eb) => eb.fn.countAll<number>().as('count')]),
  ),
)

export interface ResourcePage {
  rows: EduResourcesTable[]
  cursors: PageCursors
  /** Of the whole list. */
  totals: { assignments: number; folders: number }
}

/** A page of what lies in a place, and how much does, in two queries. */
export async function listResources(
  queries: Queries,
  { place, openness, within }: Pick<OpenPlace, 'place' | 'openness'> & Pick<Reach, 'within'>,
  filter: ResourceFilter,
  request: PageRequest & { sort: ResourceSort },
): Promise<ResourcePage> {
  const { sort, direction } = request
  const start = pageStart(request, sort === 'title' ? 'string' : 'number')
  const { position, key, id, limit } = start
  const parameters = filterParams(place, filter)
  const reach = { within, openness }
  const [rows, counts] = await Promise.all([
    listed({ sort, direction, position, limit, ...reach })(queries, { key, id, ...parameters }),
    counted(reach)(queries, parameters),
  ])
  const countOf = (type: EduResourceType) => counts.find((row) => row.type === type)?.count ?? 0
  return {
    ...pageOf(request, start, rows, (row) => row[columns[sort]]),
    totals: { assignments: countOf('assignment'), folders: countOf('folder') },
  }
}

const contentsOf = forEachVariant(({ openness }: Pick<Reach, 'openness'>) =>
  compiled((db, p: Params<{ folders: readonly string[] }>) =>
    db
      .selectFrom('edu_resources')
      .where('place', 'in', p.list('folders'))
      .where(isOpen(openness))
      .groupBy(['place', 'assignment_type'])
      .select(['place', 'assignment_type', (eb) => eb.fn.countAll<number>().as('count')]),
  ),
)

/** What lies directly in a folder. */
export interface FolderContents {
  count: number
  assignmentTypes: AssignmentType[]
}

/** What lies in each of these folders, as somebody sees it who sees this much of them. */
export async function listFolderContents(
  queries: Queries,
  folders: readonly string[],
  openness: Openness,
): Promise<Map<string, FolderContents>> {
  const contents = new Map(folders.map((id) => [id, { count: 0, assignmentTypes: [] as AssignmentType[] }]))
  const rows = folders.length > 0 ? await contentsOf({ openness })(queries, { folders }) : []
  for (const { place, assignment_type, count } of rows) {
    const folder = contents.get(place)
    if (!folder) continue
    folder.count += count
    if (assignment_type) folder.assignmentTypes.push(assignment_type)
  }
  return contents
}
