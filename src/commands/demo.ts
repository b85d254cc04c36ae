import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { allScopes } from '../contract/scopes.ts'
import type { OrganizationRole } from '../contract/users.ts'
import { isUniqueViolation } from '../db/violations.ts'
import { fail } from '../errors.ts'
import { preparePersonalToken } from '../features/access-tokens/personal-token.ts'
import { insertAccessToken } from '../features/access-tokens/store.ts'
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
        await writeSchool(ctx, school)

        const { organization, members, teacher } = school
        const list = members.map(({ user, token }) => `  ${user.username.padEnd(14)}${token}`).join('\n')
        const users = members.map(({ user, role, token }) => ({ id: user.id, username: user.username, role, token }))
        print(
          options,
          { organization, users },
          `A school with a teacher, two students and ${files.length} scores is ready. Tokens, shown this once:\n${list}\n` +
            `With the server running (npm start), the scores of the teacher are here:\n` +
            `  curl -H "Authorization: Bearer ${teacher.token}" ${ctx.config.publicUrl}/v2/collections/app/scores`,
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
  if (!teacher) throw new Error('A school without a teacher')
  return { organization, members, teacher, pieces }
}

/** All of it or nothing, so that a demo that failed can be asked for again. */
async function writeSchool(ctx: Context, { organization, members, teacher, pieces }: School): Promise<void> {
  try {
    await ctx.transaction(async (tx) => {
      await insertOrganization(tx, newOrganization(organization, 'School of Music', ctx.clock.now()))
      for (const { user, row } of members) {
        await insertUser(tx, user)
        await insertAccessToken(tx, row)
      }
      for (const { contents, title } of pieces) {
        const asked = { title, privacy: 'organizationPublic', collection: undefined } as const
        await insertNewScore(ctx, tx, { id: teacher.user.id, app: undefined }, contents, asked)
      }
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'users.username_key')) throw error
    fail('USERNAME_TAKEN', { message: 'The people of the demo are here already: it is for a new installation.' })
  }
}
