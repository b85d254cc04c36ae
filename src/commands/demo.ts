import type { Command } from 'commander'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { createDemoSchool } from './demo-school.ts'
import { progressBar } from './progress-bar.ts'

export function demoCommand(): Command {
  return commandWithSettings('demo', 'Create a small school to try things out with')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        const bar = progressBar('Creating the school', 0, options)
        const startProgress = (steps: number) => {
          bar.at(0, steps)
          return () => bar.step()
        }
        const school = await createDemoSchool(ctx, startProgress).finally(() => bar.stop())

        const { organization, class: schoolClass, members, scores } = school
        const columnsOf = (secret: 'password' | 'token') =>
          members.map((member) => `  ${member.username.padEnd(14)}${member[secret]}`).join('\n')
        const tokenOf = (wanted: string) => members.find(({ role }) => role === wanted)?.token
        print(
          options,
          { organization, class: schoolClass, users: members },
          `Created a school with a teacher, two students, ${scores} scores, and a class with an assignment.\n` +
            `While the server runs (npm start), open ${ctx.config.publicUrl} and sign in. Passwords (shown only once):\n` +
            `${columnsOf('password')}\n` +
            `For programs, access tokens (shown only once):\n${columnsOf('token')}\n` +
            `List the scores of the teacher and the assignments of a student:\n` +
            `  curl -H "Authorization: Bearer ${tokenOf('teacher')}" ${ctx.config.publicUrl}/v2/collections/app/scores\n` +
            `  curl -H "Authorization: Bearer ${tokenOf('user')}" ${ctx.config.publicUrl}/v2/classes/${schoolClass}/assignments`,
        )
      })
    })
}
