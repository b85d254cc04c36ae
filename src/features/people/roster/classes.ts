import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { isReadOnly } from '../../teaching/classes/lifecycle.ts'
import { insertNewClass } from '../../teaching/classes/new-class.ts'
import { updateClass, updateClassGroupNames } from '../../teaching/classes/store.ts'
import { groupName } from '../groups/names.ts'
import { insertGroup } from '../groups/store.ts'
import type { StagedClassRow, StagedClass, StagedGroup } from './staging.ts'
import { findSubGroup, type KnownClass, listClassesByExternalId, listClassesByName } from './store.ts'

/** The step of the import for one class. */
export type ClassStep = { schoolClass: StagedClass } & (
  | { kind: 'create' }
  | { kind: 'rename' | 'unchanged' | 'archived'; known: KnownClass }
  | { kind: 'invalid'; problem: string }
)

/**
 * Plans the step of each class. A class with an id is found by the id, even under another name. Other classes
 * are found by name.
 */
export async function planClasses(
  queries: Queries,
  organization: string,
  classes: readonly StagedClass[],
): Promise<ClassStep[]> {
  const lookups = classes.map(({ external_id: id, name_key: name }) =>
    id === null
      ? listClassesByName(queries, { organization, name })
      : listClassesByExternalId(queries, { organization, id }),
  )
  return (await Promise.all(lookups)).map((matches, index) => {
    const schoolClass = classes[index] as StagedClass
    const { external_id, name } = schoolClass
    const [known, ...others] = matches
    if (others.length > 0)
      return {
        schoolClass,
        kind: 'invalid',
        problem: 'is the name of several classes: identify the class by its id',
      }
    if (!known) return { schoolClass, kind: 'create' }
    if (isReadOnly(known.state)) return { schoolClass, kind: 'archived', known }
    return { schoolClass, kind: external_id !== null && known.name !== name ? 'rename' : 'unchanged', known }
  })
}

export function stagedClassRowOf(step: ClassStep, created: StagedClassRow | undefined): StagedClassRow {
  if (step.kind === 'create' || step.kind === 'invalid') return created ?? noClass
  const { id: class_id, teachers_group_id, students_group_id } = step.known
  return { class_id, teachers_group_id, students_group_id, is_archived: step.kind === 'archived' ? 1 : 0 }
}

const noClass: StagedClassRow = {
  class_id: null,
  teachers_group_id: null,
  students_group_id: null,
  is_archived: 0,
}

/**
 * Performs a step. Returns the class that it created.
 * @param owner finds the owner of a new class
 */
export async function writeClass(
  ctx: Context,
  tx: Transaction,
  organization: string,
  step: ClassStep,
  { owner, state }: { owner: () => Promise<string>; state: 'active' | 'inactive' },
): Promise<StagedClassRow | undefined> {
  const { schoolClass } = step
  if (step.kind === 'invalid') {
    const message = `${schoolClass.file}, line ${schoolClass.line}: “${schoolClass.name}” ${step.problem}.`
    fail('INVALID_PARAMETER', { message })
  }
  if (step.kind === 'create') {
    const creator = { id: await owner(), organization }
    const created = await insertNewClass(
      ctx,
      tx,
      creator,
      { name: schoolClass.name },
      { state, externalId: schoolClass.external_id },
    )
    const { id: class_id, teachers_group_id, students_group_id } = created
    return { class_id, teachers_group_id, students_group_id, is_archived: 0 }
  }
  if (step.kind === 'rename') {
    const { name } = schoolClass
    const texts = { section: undefined, description: undefined, theme: undefined }
    const others = { ...texts, level: undefined, skills_focused: undefined, size: undefined }
    await updateClass(tx, step.known.id, { name, ...others }, ctx.clock.now())
    await updateClassGroupNames(tx, step.known.id, groupName(name))
  }
  return undefined
}

/** Returns the ids of these groups, null for each group that does not exist. */
export async function planGroups(
  queries: Queries,
  groups: readonly StagedGroup[],
): Promise<(string | null)[]> {
  const lookups = groups.map(async ({ class_id: classId, name_key: name }) =>
    classId === null ? null : ((await findSubGroup(queries, { classId, name })) ?? null),
  )
  return Promise.all(lookups)
}

/** Creates a subgroup of the students of a class. Returns its id. */
export async function writeGroup(
  { newId, clock }: Context,
  tx: Transaction,
  organization: string,
  { class_id, name, name_key }: StagedGroup,
): Promise<string> {
  const id = newId()
  const group = { id, organization_id: organization, class_id, parent_id: null, name, name_key, tags: '[]' }
  await insertGroup(tx, { ...group, type: 'classStudentsSubGroup', created_at: clock.now() })
  return id
}
