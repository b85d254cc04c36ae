import type { ImportWarning, ScorePrivacy } from '../../../contract/scores.ts'
import type { Context } from '../../../context.ts'
import { contentsOfFile, storingContents, titleOf } from '../scores/contents.ts'
import { insertNewScore } from './new-score.ts'
import type { AppCaller } from './policy.ts'

/** A score file, and what its score gets beside its contents. */
export interface ScoreFile {
  bytes: Uint8Array
  /** The name of a score without a title. */
  filename: string
  privacy: ScorePrivacy
  /** An id or an alias; undefined for the collection of the app. */
  collection: string | undefined
}

export interface ImportedScore {
  id: string
  title: string
  /** What the reader changed in a faulty file. */
  warnings: readonly ImportWarning[]
}

/**
 * Imports a file of any accepted format. It waits for an engine or thread without a time limit. If the file is refused, nothing is
 * stored.
 * @throws the errors of the reader, such as UNKNOWN_FORMAT, and as `insertNewScore` does
 */
export async function importFile(
  ctx: Context,
  owner: AppCaller,
  { bytes, filename, privacy, collection }: ScoreFile,
): Promise<ImportedScore> {
  const contents = await contentsOfFile(ctx, bytes, { caller: owner.id, isPatient: true })
  const title = titleOf(undefined, contents.facts.title, filename)
  const { score } = await storingContents(ctx, contents, () =>
    ctx.transaction((tx) => insertNewScore(ctx, tx, owner, contents, { title, privacy, collection })),
  )
  return { id: score, title, warnings: contents.warnings }
}
