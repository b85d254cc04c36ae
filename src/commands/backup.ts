import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { listBlobFiles } from '../platform/blobs/blob-store.ts'
import { isInstalled, openStorage, secretsFile } from '../create-context.ts'
import { backupDatabase } from '../platform/db/backup/backup.ts'
import { commandWithSettings, configOf, jsonFlag, print } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

export function backupCommand(): Command {
  return commandWithSettings(
    'backup',
    'Back up the installation to a new folder; works while the server runs',
  )
    .argument('<directory>', 'The folder to create. If it exists, it must be empty')
    .option(...jsonFlag)
    .action(async (directory, options) => {
      const config = configOf(options)
      // openStorage creates a missing DATA_DIR, so a mistyped one would lead to a backup without data.
      if (!isInstalled(config))
        throw new Error(`There is no installation in ${config.dataDir}. Check DATA_DIR.`)
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
          `Backed up ${rows} rows and ${manifest.files.count} files to ${directory}. ${keyOf(config)}`,
        )
      } finally {
        bar.stop()
        await db.close()
      }
    })
}

/** What must be kept beside a backup, but not with it. */
const keyOf = (config: Config): string =>
  `Keep ${config.secretsKey.length > 0 ? 'the value of SECRETS_KEY' : secretsFile(config)} in another place: without it, the stored secrets of webhooks, authenticator apps and sign-in providers are lost.`
