import { Command } from 'commander'
import { importRoster } from '../features/roster/import.ts'
import { changesNothing, describeReport } from '../features/roster/report.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

export function importCommand(): Command {
  const roster = commandWithSettings(
    'roster',
    'Make and change people, classes and groups as the records of a school say',
  )
    .argument('<path>', 'A CSV file, or a folder or .zip archive of OneRoster 1.2')
    .requiredOption('--organization <id>', 'Whose they are')
    .option('--dry-run', 'Only say what would be done')
    .option('--inactive', 'Make classes that students do not see until they are activated')
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
        const result = { organization, dryRun: isDryRun, changed: !isDryRun && !changesNothing(report), ...report }
        print(options, result, describeReport(report, { isDryRun }))
      })
    })
  return new Command('import').description('Bring in what others keep').addCommand(roster)
}
