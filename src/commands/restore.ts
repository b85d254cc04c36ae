import type { Command } from 'commander'
import { openStorage } from '../create-context.ts'
import { restoreDatabase } from '../platform/db/backup/restore.ts'
import { migrations } from '../platform/db/migrations/index.ts'
import { commandWithSettings, configOf, jsonFlag, print } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

export function restoreCommand(): Command {
  return commandWithSettings('restore', 'Restore a backup to an empty installation with either database')
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
          `Restored ${rows} rows and ${manifest.files.count} files from ${directory}. Before you start the server, put back the SECRETS_KEY or DATA_DIR/secrets.key of that time.`,
        )
      } finally {
        bar.stop()
        await db.close()
      }
    })
}
