import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Command, Option } from 'commander'
import { scorePrivacies } from '../contract/scores.ts'
import type { Context } from '../context.ts'
import { type ErrorCode, Failure, fail } from '../errors.ts'
import {
  importFile,
  type ImportedScore,
  type ScoreFile,
} from '../features/library/collections/import-file.ts'
import { type AppCaller, checkTargetCollection } from '../features/library/collections/policy.ts'
import { checkFileSize } from '../features/library/scores/contents.ts'
import { checkPrivacy } from '../features/library/scores/policy.ts'
import { loadUserId } from '../features/people/users/accounts.ts'
import { findUser } from '../features/people/users/store.ts'
import { printable } from '../music/model/printable.ts'
import { commandWithSettings, jsonFlag, print, withContext } from './command-line.ts'
import { progressBar } from './progress-bar.ts'

interface Refusal {
  file: string
  code: ErrorCode
  message: string
}

/** What became of the files. Both lists have the order of the files. */
interface ImportReport {
  scores: ({ file: string } & ImportedScore)[]
  refused: Refusal[]
}

export function importScoresCommand(): Command {
  return commandWithSettings('scores', 'Import score files into the library of a user')
    .argument('<path...>', 'Score files, or folders: every file in them is imported, except hidden ones')
    .requiredOption('--user <user>', 'The owner of the scores; username or id')
    .option(
      '--collection <id>',
      'The collection that receives the scores; root for none. The collection of personal access tokens if not given',
    )
    .addOption(
      new Option('--privacy <privacy>', 'Who can read the scores').choices(scorePrivacies).default('private'),
    )
    .option(...jsonFlag)
    .action(async (paths: string[], options) => {
      await withContext(options, async (ctx) => {
        const { privacy, collection } = options
        const owner = await loadOwner(ctx, options.user)
        // A request that no file could fulfil fails as a whole.
        await checkPrivacy(ctx.db.read, owner.id, privacy)
        await checkTargetCollection(ctx.db.read, owner, collection)
        const files = (await Promise.all(paths.map(filesAt))).flat()
        const bar = progressBar('Importing', files.length, options)
        const report: ImportReport = { scores: [], refused: [] }
        // One file after the other, because a server may use the same processors and the same database.
        for (const file of files) {
          await importInto(report, ctx, owner, file, { privacy, collection })
          bar.step()
        }
        bar.stop()
        print(options, report, describe(report))
        if (report.refused.length > 0) {
          throw new Error(`${report.refused.length} of ${count(files.length, 'file')} could not be imported.`)
        }
      })
    })
}

/** @throws USER_NOT_FOUND */
async function loadOwner({ db }: Context, idOrName: string): Promise<AppCaller> {
  const user = await findUser(db.read, { id: await loadUserId(db.read, idOrName) })
  if (!user) fail('USER_NOT_FOUND')
  return { id: user.id, organization: user.organization_id ?? undefined, app: undefined }
}

/** Returns the path itself, or of a folder all files in it and its subfolders. Hidden files and folders are left out. */
async function filesAt(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return [path]
  const files: string[] = []
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const inside = join(path, entry.name)
    // A link to a folder is not followed, because it can lead in a circle.
    if (entry.isDirectory()) files.push(...(await filesAt(inside)))
    else files.push(inside)
  }
  return files
}

/** Imports one file. An error does not stop the command: the report names the scores that exist already. */
async function importInto(
  report: ImportReport,
  ctx: Context,
  owner: AppCaller,
  file: string,
  target: Pick<ScoreFile, 'privacy' | 'collection'>,
): Promise<void> {
  try {
    const bytes = await readScoreFile(file)
    const score = await importFile(ctx, owner, { bytes, filename: basename(file), ...target })
    report.scores.push({ file, ...score })
  } catch (error) {
    if (!(error instanceof Failure)) ctx.log.error({ err: error, file }, 'The import of a file failed')
    const { code, message } = error instanceof Failure ? error : internalError
    report.refused.push({ file, code, message })
  }
}

const internalError = new Failure('INTERNAL_ERROR', {
  message: 'An internal error occurred. The log on standard error has the details.',
})

/** @throws NOT_FOUND; STORAGE_UNAVAILABLE if it cannot be read; UNKNOWN_FORMAT for a device; PAYLOAD_TOO_LARGE */
async function readScoreFile(path: string): Promise<Uint8Array> {
  try {
    const found = await stat(path)
    if (!found.isFile()) fail('UNKNOWN_FORMAT', { message: 'It is not a regular file.' })
    checkFileSize(found.size)
    return await readFile(path)
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') fail('NOT_FOUND', { message: 'There is no such file.' })
    fail('STORAGE_UNAVAILABLE', { message: `The file cannot be read (${code}).`, cause: error })
  }
}

function describe({ scores, refused }: ImportReport): string {
  const lines = scores.flatMap(({ file, id, title, warnings }) => [
    `${file}: created “${title}” (${id})`,
    ...warnings.map(({ line, message }) => `  ${line === null ? '' : `line ${line}: `}${message}`),
  ])
  const refusals = refused.map(({ file, code, message }) => `${file}: refused, ${code}: ${message}`)
  // Names and titles come from elsewhere. A control character could change what the terminal shows.
  const inTerminal = (line: string) => line.replace(/\S.*/s, printable)
  return [...[...lines, ...refusals].map(inTerminal), `Created ${count(scores.length, 'score')}.`].join('\n')
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
