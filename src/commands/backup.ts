import type { Command } from 'commander'
import { openStorage } from '../context.ts'
import { backupDatabase } from '../db/backup/backup.ts'
import { commandWithSettings, configOf, jsonFlag, print } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

export function backupCommand(): Command {
  return commandWithSettings('backup', 'Copy everything into a new folder, also while the server runs')
    .argument('<directory>', 'Is made; it must not be there, or be empty')
    .option(...jsonFlag)
    .action(async (directory, options) => {
      const { db, files } = await openStorage(configOf(options))
      const bar = progressBar('Backing up', 0, options)
      try {
        const manifest = await backupDatabase(db, directory, {
          files: {
            async *names(snapshot) {
              const rows = snapshot.selectFrom('blobs').select('file').where('file', 'is not', null).stream()
              for await (const { file } of rows) if (file) yield file
            },
            read: (name) => files.read(name),
          },
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
