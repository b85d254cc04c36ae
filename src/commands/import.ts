import { Command } from 'commander'
import { importRoster } from '../features/people/roster/import.ts'
import { changesNothing, describeReport } from '../features/people/roster/report.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { importScoresCommand } from './import-scores.ts'
import { progressBar } from './progress-bar.ts'

export function importCommand(): Command {
  const roster = commandWithSettings(
    'roster',
    'Create and update users, classes and groups from a school roster',
  )
    .argument('<path>', 'A CSV file, or a OneRoster 1.2 folder or .zip archive')
    .requiredOption('--organization <id>', 'The organization to import into')
    .option('--dry-run', 'Only print what would be changed')
    .option('--inactive', 'Create inactive classes, which students do not see until they are activated')
    .option(...jsonFlag)
    .action(async (path: string, options) => {
      await withContext(options, async (ctx) => {
        const { organization, dryRun: isDryRun = false, inactive } = options
        const bar = progressBar('Importing', 1, options)
        const report = await importRoster(ctx, {
          path,
          organization,
          isDryRun,
          state: inactive ? 'inactive' : 'active',
          onProgress: (done, total) => bar.at(done, total),
        }).finally(() => bar.stop())
        const result = {
          organization,
          dryRun: isDryRun,
          changed: !isDryRun && !changesNothing(report),
          ...report,
        }
        print(options, result, describeReport(report, { isDryRun }))
      })
    })
  return new Command('import').description('Import data').addCommand(roster).addCommand(importScoresCommand())
}
