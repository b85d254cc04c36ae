import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { allScopes } from '../contract/scopes.ts'
import type { OrganizationRole } from '../contract/users.ts'
import { fail } from '../errors.ts'
import { createPersonalToken } from '../features/access-tokens/personal-token.ts'
import { insertNewScore } from '../features/collections/new-score.ts'
import { insertOrganization } from '../features/organizations/store.ts'
import { contentsOfFile, titleOf } from '../features/scores/contents.ts'
import { newAccount } from '../features/users/accounts.ts'
import { findUserId, insertUser } from '../features/users/store.ts'
import type { Context } from '../operation.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

const people: { username: string; firstname: string; lastname: string; role: OrganizationRole }[] = [
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
        for (const { username } of people) {
          if (await findUserId(ctx.db.read, username, username)) {
            fail('USERNAME_TAKEN', {
              message: `There is a user ${username} already: the demo is for a new installation.`,
            })
          }
        }
        const files = (await readdir(scores)).filter((name) => name.endsWith('.musicxml')).sort()
        const bar = progressBar('Making a school', people.length + files.length, options)
        const { organization, members } = await makeSchool(ctx, () => bar.step())
        const teacher = members.find(({ role }) => role === 'teacher')
        if (!teacher) throw new Error('A school without a teacher')
        for (const file of files) {
          await addScore(ctx, teacher.id, file)
          bar.step()
        }
        bar.stop()

        const list = members.map(({ username, token }) => `  ${username.padEnd(14)}${token}`).join('\n')
        print(
          options,
          { organization, users: members.map(({ id, username, role, token }) => ({ id, username, role, token })) },
          `A school with a teacher, two students and ${files.length} scores is ready. Tokens, shown this once:\n${list}\n` +
            `With the server running (npm start), the scores of the teacher are here:\n` +
            `  curl -H "Authorization: Bearer ${teacher.token}" ${ctx.config.publicUrl}/v2/collections/app/scores`,
        )
      })
    })
}

async function makeSchool(ctx: Context, step: () => void) {
  const organization = ctx.newId()
  await ctx.transaction((tx) =>
    insertOrganization(tx, {
      id: organization,
      name: 'School of Music',
      max_classes: null,
      allows_public_scores: 0,
      created_at: ctx.clock.now(),
    }),
  )
  const members = []
  for (const person of people) {
    // Nobody signs in by this password: the tokens are the way in.
    const account = { ...person, organization, password: crypto.randomUUID() }
    const user = await newAccount(account, ctx.newId(), ctx.clock.now())
    await ctx.transaction((tx) => insertUser(tx, user))
    members.push({ ...person, id: user.id, token: await createPersonalToken(ctx, user.id, 'Demo', allScopes) })
    step()
  }
  return { organization, members }
}

async function addScore(ctx: Context, owner: string, file: string): Promise<void> {
  const contents = await contentsOfFile(ctx, await readFile(fileURLToPath(new URL(file, scores))))
  const title = titleOf(undefined, contents.facts.title, file)
  const asked = { title, privacy: 'organizationPublic', collection: undefined } as const
  await ctx.transaction((tx) => insertNewScore(ctx, tx, { id: owner, app: undefined }, contents, asked))
}
