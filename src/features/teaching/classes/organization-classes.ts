import type { OrganizationClass } from '../../../contract/organization-overview.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { countStudentsOf, listTeachersOf, type OrganizationClassRow } from './organization-classes.store.ts'

/** Presents classes with their teachers and the number of their students. Two queries, for any number of classes. */
export async function composeOrganizationClasses(
  queries: Queries,
  rows: readonly OrganizationClassRow[],
): Promise<OrganizationClass[]> {
  const [teachers, students] = await Promise.all([
    listTeachersOf(
      queries,
      rows.map((row) => row.teachers_group_id),
    ),
    countStudentsOf(
      queries,
      rows.map((row) => row.students_group_id),
    ),
  ])
  return rows.map(({ id, name, section, state, teachers_group_id, students_group_id }) => ({
    id,
    name,
    section,
    state,
    teachers: (teachers.get(teachers_group_id) ?? []).map(({ id, username, firstname, lastname }) => ({
      id,
      name: [firstname, lastname].filter(Boolean).join(' ') || username,
    })),
    students: students.get(students_group_id) ?? 0,
  }))
}
