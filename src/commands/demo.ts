import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { allScopes } from '../contract/scopes.ts'
import type { OrganizationRole } from '../contract/users.ts'
import type { Transaction } from '../db/database.ts'
import { isUniqueViolation } from '../db/violations.ts'
import { fail } from '../errors.ts'
import { preparePersonalToken } from '../features/access-tokens/personal-token.ts'
import { findTokenHolder, insertAccessToken } from '../features/access-tokens/store.ts'
import { changeAssignment } from '../features/assignments/changes.ts'
import { insertNewAssignment } from '../features/assignments/new-assignment.ts'
import { joinClass } from '../features/classes/members.ts'
import { insertNewClass } from '../features/classes/new-class.ts'
import { insertNewScore } from '../features/collections/new-score.ts'
import { insertOrganization, newOrganization } from '../features/organizations/store.ts'
import { contentsOfFile, titleOf } from '../features/scores/contents.ts'
import { newAccount } from '../features/users/accounts.ts'
import { insertUser } from '../features/users/store.ts'
import type { Context } from '../operation.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

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

const scores = new URL('./demo/', import.meta.url)

export function demoCommand(): Command {
  return commandWithSettings('demo', 'Fill this installation with a small school, to try things on')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const files = (await readdir(scores)).filter((name) => name.endsWith('.musicxml')).sort()
        const bar = progressBar('Making a school', people.length + files.length, options)
        const school = await prepareSchool(ctx, files, () => bar.step()).finally(() => bar.stop())
        const klass = await writeSchool(ctx, school)

        const { organization, members, teacher, student } = school
        const list = members.map(({ user, token }) => `  ${user.username.padEnd(14)}${token}`).join('\n')
        const users = members.map(({ user, role, token }) => ({ id: user.id, username: user.username, role, token }))
        print(
          options,
          { organization, class: klass, users },
          `A school with a teacher, two students, ${files.length} scores and a class with work to do is ready. Tokens, shown this ` +
            `once:\n${list}\n` +
            `With the server running (npm start), the scores of the teacher and what a student is to do are here:\n` +
            `  curl -H "Authorization: Bearer ${teacher.token}" ${ctx.config.publicUrl}/v2/collections/app/scores\n` +
            `  curl -H "Authorization: Bearer ${student.token}" ${ctx.config.publicUrl}/v2/classes/${klass}/assignments`,
        )
      })
    })
}

type School = Awaited<ReturnType<typeof prepareSchool>>

/** Does the slow work; nothing is written yet. */
async function prepareSchool(ctx: Context, files: readonly string[], step: () => void) {
  const organization = ctx.newId()
  const members = []
  for (const person of people) {
    // Nobody signs in by this password: the tokens are the way in.
    const account = { ...person, organization, password: crypto.randomUUID() }
    const user = await newAccount(account, ctx.newId(), ctx.clock.now())
    members.push({ user, role: person.role, ...preparePersonalToken(ctx, user.id, 'Demo', allScopes) })
    step()
  }
  const pieces = []
  for (const file of files) {
    const contents = await contentsOfFile(ctx, await readFile(fileURLToPath(new URL(file, scores))))
    pieces.push({ contents, title: titleOf(undefined, contents.facts.title, file) })
    step()
  }
  const teacher = members.find(({ role }) => role === 'teacher')
  const student = members.find(({ role }) => role === 'user')
  if (!teacher || !student) throw new Error('A school without a teacher or a student')
  return { organization, members, teacher, student, pieces }
}

/** All of it or nothing, so that a demo that failed can be asked for again; the id of its class. */
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
        const asked = { title, privacy: 'organizationPublic', collection: undefined } as const
        const { score } = await insertNewScore(ctx, tx, { id: teacher.user.id, app: undefined }, contents, asked)
        scores.set(title, score)
      }
      return writeClass(ctx, tx, school, scores.get('The Mill Wheel'))
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'users.username_key')) throw error
    fail('USERNAME_TAKEN', { message: 'The people of the demo are here already: it is for a new installation.' })
  }
}

/** A class with both students, who are each to finish a copy of a score; its id. */
async function writeClass(
  ctx: Context,
  tx: Transaction,
  { organization, members, teacher }: School,
  score: string | undefined,
): Promise<string> {
  const actor = await findTokenHolder(tx, { hash: teacher.row.hash, now: ctx.clock.now() })
  if (!actor || !score) throw new Error('A class without a teacher or a score')
  const klass = await insertNewClass(ctx, tx, { id: actor.id, organization }, { name: 'Strings' })
  for (const { user, role } of members)
    if (role === 'user') await joinClass(ctx, tx, klass, { ...user, organization_role: role }, null)
  const title = 'Turn the Mill Wheel'
  const draft = await insertNewAssignment(ctx, tx, { title, creator: actor.id, class: klass.id })
  await changeAssignment(ctx, tx, actor, klass, draft, {
    type: 'scoreTemplate',
    state: 'active',
    description: 'Write four measures more for each instrument, so that the round comes to an end.',
    maxPoints: 10,
    attachments: [{ type: 'flat', score, sharingMode: 'copy' }],
  })
  return klass.id
}
