import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { allScopes } from '../contract/scopes.ts'
import type { OrganizationRole } from '../contract/users.ts'
import type { Transaction } from '../platform/db/database.ts'
import { isUniqueViolation } from '../platform/db/violations.ts'
import { fail } from '../errors.ts'
import { contentUrl } from '../lib/content.ts'
import { preparePersonalToken } from '../auth/tokens/personal-token.ts'
import { findTokenHolder, insertAccessToken } from '../auth/tokens/store.ts'
import { changeAssignment } from '../features/teaching/assignments/changes.ts'
import { insertNewAssignment } from '../features/teaching/assignments/new-assignment.ts'
import { joinClass } from '../features/teaching/classes/members.ts'
import { insertNewClass } from '../features/teaching/classes/new-class.ts'
import { insertNewScore } from '../features/library/collections/new-score.ts'
import { insertOrganization, newOrganization } from '../features/people/organizations/store.ts'
import { contentsOfFile, titleOf } from '../features/library/scores/contents.ts'
import { newAccount } from '../features/people/users/accounts.ts'
import { insertUser } from '../features/people/users/store.ts'
import type { Context } from '../context.ts'

interface Person {
  username: string
  firstname: string
  lastname: string
  role: OrganizationRole
}

const people: Person[] = [
  { username: 'ada.admin', firstname: 'Ada', lastname: 'Admin', role: 'admin' },
  { username: 'tess.teacher', firstname: 'Tess', lastname: 'Teacher', role: 'teacher' },
  { username: 'sam.student', firstname: 'Sam', lastname: 'Student', role: 'user' },
  { username: 'sol.student', firstname: 'Sol', lastname: 'Student', role: 'user' },
]

const scores = contentUrl('demo/')

/** A member of the demo school, with a password and with a token that has every scope. */
export interface DemoMember {
  readonly id: string
  readonly username: string
  readonly role: OrganizationRole
  readonly password: string
  readonly token: string
}

export interface DemoSchool {
  readonly organization: string
  /** The id of the class that both students are in. */
  readonly class: string
  readonly members: readonly DemoMember[]
  /** The number of scores. The teacher owns all of them. */
  readonly scores: number
}

/**
 * Creates a school with an administrator, a teacher, two students, the scores of content/demo, and a class with an
 * assignment.
 * @param startProgress is called with the number of steps, and returns the function that counts one
 * @throws Failure USERNAME_TAKEN if the accounts exist already
 */
export async function createDemoSchool(
  ctx: Context,
  startProgress: (steps: number) => () => void = () => () => {},
): Promise<DemoSchool> {
  const files = (await readdir(scores)).filter((name) => name.endsWith('.musicxml')).sort()
  const school = await prepareSchool(ctx, files, startProgress(people.length + files.length))
  return {
    organization: school.organization,
    class: await writeSchool(ctx, school),
    members: school.members.map(({ user: { id, username }, role, password, token }) => ({
      id,
      username,
      role,
      password,
      token,
    })),
    scores: files.length,
  }
}

type School = Awaited<ReturnType<typeof prepareSchool>>

/** Does the slow work, and writes nothing to the database. */
async function prepareSchool(ctx: Context, files: readonly string[], step: () => void) {
  const organization = ctx.newId()
  const members = []
  for (const person of people) {
    const password = readablePassword()
    const user = await newAccount(ctx, { ...person, organization, password })
    const token = preparePersonalToken(ctx, user.id, 'Demo', allScopes)
    members.push({ user, role: person.role, password, ...token })
    step()
  }
  const pieces = []
  for (const file of files) {
    const bytes = await readFile(fileURLToPath(new URL(file, scores)))
    const contents = await contentsOfFile(ctx, bytes, { caller: organization })
    pieces.push({ contents, title: titleOf(undefined, contents.facts.title, file) })
    step()
  }
  const teacher = members.find(({ role }) => role === 'teacher')
  if (!teacher) throw new Error('A school without a teacher')
  return { organization, members, teacher, pieces }
}

/** Letters and digits without those that look alike. */
const readable = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Returns a random password of 60 bits in three groups, such as `k7fm-x2wp-9hqa`. */
function readablePassword(): string {
  const group = () => Array.from({ length: 4 }, () => readable[randomInt(readable.length)]).join('')
  return [group(), group(), group()].join('-')
}

/** Writes the school in one transaction, so that a failed demo can be repeated. Returns the id of the class. */
async function writeSchool(ctx: Context, school: School): Promise<string> {
  const { organization, members, teacher, pieces } = school
  try {
    return await ctx.transaction(async (tx) => {
      await insertOrganization(tx, newOrganization(organization, 'School of Music', ctx.clock.now()))
      for (const { user, row } of members) {
        await insertUser(tx, user)
        await insertAccessToken(tx, row)
      }
      const scores = new Map<string, string>()
      for (const { contents, title } of pieces) {
        const creation = { title, privacy: 'organizationPublic', collection: undefined } as const
        const { score } = await insertNewScore(
          ctx,
          tx,
          { id: teacher.user.id, app: undefined },
          contents,
          creation,
        )
        scores.set(title, score)
      }
      return writeClass(ctx, tx, school, scores.get('The Mill Wheel'))
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'users.username_key')) throw error
    fail('USERNAME_TAKEN', {
      message: 'The demo accounts exist already. The demo needs a new installation.',
    })
  }
}

/** Creates a class with both students and an assignment to finish a copy of a score. Returns the id of the class. */
async function writeClass(
  ctx: Context,
  tx: Transaction,
  { organization, members, teacher }: School,
  score: string | undefined,
): Promise<string> {
  const actor = await findTokenHolder(tx, { hash: teacher.row.hash, now: ctx.clock.now() })
  if (!actor || !score) throw new Error('A class without a teacher or a score')
  const schoolClass = await insertNewClass(ctx, tx, { id: actor.id, organization }, { name: 'Strings' })
  for (const { user, role } of members) {
    if (role !== 'user') continue
    const student = { ...user, organization_role: role }
    await joinClass(ctx, tx, schoolClass, student, { by: null, placement: 'administrator' })
  }
  const title = 'Turn the Mill Wheel'
  const draft = await insertNewAssignment(ctx, tx, { title, creator: actor.id, class: schoolClass.id })
  await changeAssignment(ctx, tx, actor, schoolClass, draft, {
    type: 'scoreTemplate',
    state: 'active',
    description: 'Write four measures more for each instrument, so that the round comes to an end.',
    maxPoints: 10,
    attachments: [{ type: 'flat', score, sharingMode: 'copy' }],
  })
  return schoolClass.id
}
