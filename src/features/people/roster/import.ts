import { randomInt } from 'node:crypto'
import type { ClassRole } from '../../../contract/users.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { firstPasswordOf } from '../../../contract/first-password.ts'
import type { Context } from '../../../context.ts'
import { checkClassLimit } from '../../teaching/classes/policy.ts'
import { isTrusted, placeMember } from '../../teaching/classes/placements.ts'
import { insertSubGroupMember } from '../groups/store.ts'
import { audit } from '../audit/audit.ts'
import { checkRoomForMember } from '../organizations/policy.ts'
import { findOrganization, listAdministrators } from '../organizations/store.ts'
import { hashPassword } from '../users/accounts.ts'
import {
  type ClassStep,
  planClasses,
  planGroups,
  stagedClassRowOf,
  writeClass,
  writeGroup,
} from './classes.ts'
import { findWeakness, minPasswordLength } from '../../../auth/passwords/password-policy.ts'
import { isAmbiguous } from './lines.ts'
import { stageOneRoster } from './one-roster.ts'
import { countClass, countGroup, countMembership, countPerson } from './counting.ts'
import {
  lookupResultOf,
  type PersonStep,
  planPeople,
  type RosterActor,
  writePeople as writeSteps,
} from './people.ts'
import { stagePlainTable } from './plain-table.ts'
import { readInBatches, writeInBatches } from './batches.ts'
import { type Problems, rosterProblems } from './problems.ts'
import { changesIn, changesNothing, newReport, type RosterReport } from './report.ts'
import { openRoster, type RosterSource } from './source.ts'
import {
  type MembershipState,
  openStaging,
  type StagedMembership,
  type StagedPerson,
  type Staging,
} from './staging.ts'
import { findMembership } from './store.ts'

export interface RosterImport {
  /** The path of a file, a folder or a .zip archive, or an opened roster. The import closes it. */
  path: string | RosterSource
  organization: string
  /** The administrator who imports. Null for the command line, which may change everybody. */
  by?: RosterActor | null
  /** Collects the problems. */
  problems?: Problems
  /** Hears of the steps for persons and classes while they are checked. */
  preview?: { person(step: PersonStep): void; classStep(step: ClassStep): void }
  /** Creates a first password for each new account without one, and hears of it after the account is stored. */
  onFirstPassword?(person: StagedPerson, password: string): void
  /**
   * Whether the import is to stop after the present batch. The next import does the rest. It is asked only after
   * something was changed, so that several imports come to an end.
   */
  isOver?(): boolean
  /** Only reports what the import would do. */
  isDryRun: boolean
  /** State of new classes. */
  state: 'active' | 'inactive'
  onProgress(done: number, total: number): void
  /** Hears of the plan before the first write. */
  onPlanned?(planned: RosterReport): void
}

/**
 * Creates and updates the members, classes and groups of an organization according to a roster. Users,
 * classes and groups that the roster does not name stay as they are. Everything is checked before the first
 * write. If an import is interrupted, the next one completes it.
 * @throws INVALID_PARAMETER that names each wrong line; ORGANIZATION_NOT_FOUND, SEATS_EXHAUSTED,
 *   CLASSES_EXHAUSTED
 */
export async function importRoster(ctx: Context, options: RosterImport): Promise<RosterReport> {
  const { path, organization, isDryRun, onProgress, problems = rosterProblems() } = options
  const { min_password_length: organizationMinimum } =
    (await findOrganization(ctx.db.read, organization)) ?? fail('ORGANIZATION_NOT_FOUND')
  const staging = openStaging()
  try {
    await stage(ctx, staging, path, problems)
    problems.check()
    const { people, classes, groups, memberships } = staging.counts()
    const rows = people + classes + groups + memberships
    let rowsDone = 0
    const advance = (count: number) => {
      rowsDone += count
      onProgress(rowsDone, isDryRun ? rows : 2 * rows)
    }
    const run: Run = { ...options, ctx, staging, organizationMinimum, advance }
    const planned = await check(run, problems)
    problems.check()
    options.onPlanned?.(planned)
    if (isDryRun || changesNothing(planned)) return planned
    return await write(run, planned)
  } finally {
    staging.close()
  }
}

interface Run
  extends Pick<RosterImport, 'organization' | 'state' | 'by' | 'preview' | 'onFirstPassword' | 'isOver'> {
  ctx: Context
  staging: Staging
  /** The minimum length of passwords that the organization sets. */
  organizationMinimum: number | null
  /** Reports that these rows are checked or written. */
  advance(count: number): void
}

async function stage(
  { clock }: Context,
  staging: Staging,
  path: string | RosterSource,
  problems: Problems,
): Promise<void> {
  const source = typeof path === 'string' ? await openRoster(path) : path
  try {
    if (source.kind === 'files') {
      const today = new Date(clock.now()).toISOString().slice(0, 10)
      await stageOneRoster({ staging, source, problems, today })
    } else {
      const bytes = await source.read(source.name)
      if (bytes) await stagePlainTable(staging, source.name, bytes, problems)
    }
  } finally {
    source.close()
  }
}

/** Plans all steps without writing, and finds the problems. */
async function check(run: Run, problems: Problems): Promise<RosterReport> {
  const { ctx, staging, organization, advance } = run
  const { read } = ctx.db
  const report = newReport()
  report.people.skipped = staging.counts().skipped
  await readInBatches(staging.people, async (people) => {
    for (const step of await planPeople(read, organization, people, run.by)) {
      run.preview?.person(step)
      if (step.kind === 'invalid') problems.add(step.person, step.column, step.problem)
      if (step.kind === 'create') await checkPassword(run, step, problems)
      countPerson(report, step)
      staging.settlePerson(step.person.n, lookupResultOf(step, null))
    }
    advance(people.length)
  })
  const hasAdministrator = (await listAdministrators(read, organization)).length > 0
  await readInBatches(staging.classes, async (classes) => {
    for (const step of await planClasses(read, organization, classes)) {
      const { schoolClass } = step
      run.preview?.classStep(step)
      const refuse = (problem: string) =>
        problems.add(schoolClass, undefined, `“${schoolClass.name}” ${problem}`)
      if (step.kind === 'invalid') refuse(step.problem)
      else if (isAmbiguous(staging, schoolClass))
        refuse('is the name of several classes: give each class an id')
      else if (step.kind === 'create' && !hasAdministrator && !staging.findTeacher(schoolClass.n)) {
        refuse('has no teacher, and the organization has no administrator who could own it')
      }
      countClass(report, step)
      staging.settleClass(schoolClass.n, stagedClassRowOf(step, undefined))
    }
    advance(classes.length)
  })
  await readInBatches(staging.groups, async (groups) => {
    const known = await planGroups(read, groups)
    for (const [index, group] of groups.entries()) {
      countGroup(report, group, known[index] ?? null)
      staging.settleGroup(group.n, known[index] ?? null)
    }
    advance(groups.length)
  })
  await readInBatches(staging.memberships, async (memberships) => {
    const states = await statesOf(read, memberships)
    for (const [index, membership] of memberships.entries()) {
      if (membership.is_group === 1 && membership.is_student === 0)
        problems.add(membership, 'group', 'is for students of the class')
      const state = states[index] ?? 'new'
      staging.settleMembership(membership.n, state)
      countMembership(report, state)
    }
    advance(memberships.length)
  })
  if (report.people.created > 0) await checkRoomForMember(read, organization, report.people.created)
  if (report.classes.created > 0) await checkClassLimit(read, organization, report.classes.created)
  return report
}

/** Plans all steps again, from the present state of the database, and performs them. */
async function write(run: Run, planned: RosterReport): Promise<RosterReport> {
  const { ctx, organization, by } = run
  const report = newReport()
  const { removed, skipped, listed } = planned.people
  Object.assign(report.people, { removed, skipped })
  report.people.listed.notRestored.push(...listed.notRestored)
  for (const part of [writePeople, writeClasses, writeGroups, writeMemberships]) {
    if (!(await part({ ...run, isOver: () => changesIn(report) > 0 && (run.isOver?.() ?? false) }, report)))
      break
  }
  const details = Object.fromEntries(
    Object.entries(report).map(([kind, { created, changed }]) => [kind, { created, changed }]),
  )
  await ctx.transaction((tx) =>
    audit(tx, ctx, {
      organization,
      actor: by?.id ?? null,
      action: 'roster.imported',
      subject: null,
      details,
    }),
  )
  return report
}

/** The passwords of existing accounts are not read. */
async function checkPassword(
  { ctx, organizationMinimum }: Run,
  { person, role }: Extract<PersonStep, { kind: 'create' }>,
  problems: Problems,
): Promise<void> {
  if (person.password === null) return
  const weakness = await findWeakness(ctx.config, {
    password: person.password,
    role,
    organizationMinimum,
    owner: person,
  })
  if (weakness) problems.add(person, 'password', weakness.problem)
}

const maxRows = 200
/** Hashing a password takes ten milliseconds or more. */
const maxRowsWithPasswords = 16

async function writePeople(run: Run, report: RosterReport): Promise<boolean> {
  const { ctx, staging, organization, organizationMinimum, advance, by, isOver, onFirstPassword } = run
  const hashes = new Map<number, string>()
  const firstPasswords = new Map<number, string>()
  const passwordFor = (person: StagedPerson) => {
    if (person.password !== null || !onFirstPassword) return person.password
    const minimum = minPasswordLength(ctx.config, { role: person.role, organizationMinimum })
    const password = firstPasswordOf(minimum, (limit) => randomInt(limit))
    firstPasswords.set(person.n, password)
    return password
  }
  return writeInBatches(ctx, {
    isOver,
    rows: staging.people,
    maxRows: onFirstPassword || staging.counts().passwords > 0 ? maxRowsWithPasswords : maxRows,
    async prepare(people) {
      hashes.clear()
      firstPasswords.clear()
      const hash = async (person: StagedPerson) => {
        const { n, role } = person
        const password = passwordFor(person)
        if (password === null) return
        hashes.set(n, await hashPassword(ctx.config, { password, role, organizationMinimum, owner: person }))
      }
      await Promise.all(people.filter(({ user_id }) => user_id === null).map(hash))
    },
    async write(tx, people) {
      const steps = await planPeople(tx, organization, people, by)
      const newCount = steps.filter(({ kind }) => kind === 'create').length
      if (newCount > 0) await checkRoomForMember(tx, organization, newCount)
      return { steps, ids: await writeSteps(ctx, tx, { organization, by: by?.id ?? null }, steps, hashes) }
    },
    written(people, { steps, ids }) {
      for (const [index, step] of steps.entries()) {
        countPerson(report, step)
        staging.settlePerson(step.person.n, lookupResultOf(step, ids[index] ?? null))
        const password = step.kind === 'create' ? firstPasswords.get(step.person.n) : undefined
        if (password !== undefined) onFirstPassword?.(step.person, password)
      }
      advance(people.length)
    },
  })
}

async function writeClasses(
  { ctx, staging, organization, state, advance, isOver }: Run,
  report: RosterReport,
): Promise<boolean> {
  return writeInBatches(ctx, {
    isOver,
    rows: staging.classes,
    maxRows,
    async write(tx, classes) {
      const steps = await planClasses(tx, organization, classes)
      const newCount = steps.filter(({ kind }) => kind === 'create').length
      if (newCount > 0) await checkClassLimit(tx, organization, newCount)
      const results = []
      for (const step of steps) {
        const owner = async () =>
          staging.findTeacher(step.schoolClass.n)?.user_id ?? (await firstAdministrator(tx, organization))
        results.push({ step, created: await writeClass(ctx, tx, organization, step, { owner, state }) })
      }
      return results
    },
    written(classes, results) {
      for (const { step, created } of results) {
        countClass(report, step)
        staging.settleClass(step.schoolClass.n, stagedClassRowOf(step, created))
      }
      advance(classes.length)
    },
  })
}

async function firstAdministrator(queries: Queries, organization: string): Promise<string> {
  const [first] = await listAdministrators(queries, organization)
  return first?.id ?? fail('LAST_ADMINISTRATOR')
}

async function writeGroups(
  { ctx, staging, organization, advance, isOver }: Run,
  report: RosterReport,
): Promise<boolean> {
  return writeInBatches(ctx, {
    isOver,
    rows: staging.groups,
    maxRows,
    async write(tx, groups) {
      const known = await planGroups(tx, groups)
      const ids = []
      for (const [index, group] of groups.entries()) {
        ids.push({
          group,
          known: known[index] ?? null,
          id: known[index] ?? (await writeGroup(ctx, tx, organization, group)),
        })
      }
      return ids
    },
    written(groups, ids) {
      for (const { group, known, id } of ids) {
        countGroup(report, group, known)
        staging.settleGroup(group.n, id)
      }
      advance(groups.length)
    },
  })
}

async function writeMemberships(
  { ctx, staging, advance, isOver }: Run,
  report: RosterReport,
): Promise<boolean> {
  return writeInBatches(ctx, {
    isOver,
    rows: staging.memberships,
    maxRows,
    async write(tx, memberships) {
      const created_at = ctx.clock.now()
      await Promise.all(
        memberships.map(async ({ group_id, user_id, is_student, is_group, state }) => {
          if (group_id === null || user_id === null || state === 'known') return
          const member = { group_id, user_id, created_at }
          if (is_group === 1) await insertSubGroupMember(tx, member)
          else await placeMember(tx, classRole(is_student), { ...member, placement: 'roster' })
        }),
      )
    },
    written(memberships) {
      for (const { state } of memberships) countMembership(report, state)
      advance(memberships.length)
    },
  })
}

const classRole = (isStudent: 0 | 1): ClassRole => (isStudent === 1 ? 'student' : 'teacher')

async function statesOf(
  queries: Queries,
  memberships: readonly StagedMembership[],
): Promise<MembershipState[]> {
  const lookups = memberships.map(async ({ group_id, user_id, is_student, is_group }) => {
    if (group_id === null || user_id === null) return 'new'
    const member = await findMembership(queries, { group: group_id, user: user_id })
    if (!member) return 'new'
    return is_group === 1 || isTrusted(classRole(is_student), member.placement) ? 'known' : 'changed'
  })
  return Promise.all(lookups)
}
