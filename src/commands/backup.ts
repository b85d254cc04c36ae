import type { Command } from 'commander'
import { listBlobFiles } from '../blobs/blob-store.ts'
import { isInstalled, openStorage } from '../context.ts'
import { backupDatabase } from '../db/backup/backup.ts'
import { commandWithSettings, configOf, jsonFlag, print } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

export function backupCommand(): Command {
  return commandWithSettings('backup', 'Copy everything into a new folder, also while the server runs')
    .argument('<directory>', 'Is made; it must not be there, or be empty')
    .option(...jsonFlag)
    .action(async (directory, options) => {
      const config = configOf(options)
      // A mistyped folder would be made, and its emptiness backed up.
      if (!isInstalled(config)) throw new Error(`There is no installation in ${config.dataDir}; is DATA_DIR right?`)
      const { db, files } = await openStorage(config)
      const bar = progressBar('Backing up', 0, options)
      try {
        const manifest = await backupDatabase(db, directory, {
          files: { names: listBlobFiles, read: (name) => files.read(name) },
          onProgress: ({ done, total }) => bar.at(done, total),
        })
        const rows = manifest.tables.reduce((sum, { count }) => sum + count, 0)
        print(
          options,
          { directory, rows, files: manifest.files.count },
          `Backed up ${rows} rows and ${manifest.files.count} files to ${directory}.`,
        )
      } finally {
        bar.stop()
        await db.close()
      }
    })
}
