import type { Command } from 'commander'
import { openStorage } from '../context.ts'
import { restoreDatabase } from '../db/backup/restore.ts'
import { migrations } from '../db/migrations/index.ts'
import { commandWithSettings, configOf, jsonFlag, print } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

export function restoreCommand(): Command {
  return commandWithSettings('restore', 'Fill an empty installation with a backup, of whichever database it was made')
    .argument('<directory>')
    .option(...jsonFlag)
    .action(async (directory, options) => {
      const { db, files } = await openStorage(configOf(options))
      const bar = progressBar('Restoring', 0, options)
      try {
        const manifest = await restoreDatabase(db, directory, migrations, {
          writeFile: (name, bytes) => files.write(name, bytes),
          onProgress: ({ done, total }) => bar.at(done, total),
        })
        const rows = manifest.tables.reduce((sum, { count }) => sum + count, 0)
        print(
          options,
          { directory, rows, files: manifest.files.count },
          `Restored ${rows} rows and ${manifest.files.count} files from ${directory}.`,
        )
      } finally {
        bar.stop()
        await db.close()
      }
    })
}
