import type { Command } from 'commander'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'

export function migrateCommand(): Command {
  return commandWithSettings('migrate', 'Migrate the database; the server also does this when it starts')
    .option(...jsonFlag)
    .action(async (options) => {
      await withContext(options, async (ctx) => {
        print(
          options,
          { applied: ctx.appliedMigrations },
          `Applied ${ctx.appliedMigrations.length} migrations.`,
        )
      })
    })
}
