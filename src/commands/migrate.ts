import type { Command } from 'commander'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'

export function migrateCommand(): Command {
  return commandWithSettings('migrate', 'Bring the database up to date; the server does so too when it starts')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        print(options, { applied: ctx.appliedMigrations }, `${ctx.appliedMigrations.length} migrations were applied.`)
      })
    })
}
