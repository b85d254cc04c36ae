import Type from 'typebox'
import { DateTime } from '../../../contract/schema.ts'
import { ScoreCreation, type ScoreCreationFileImport, ScoreDetails } from '../../../contract/scores.ts'
import { Task } from '../../../contract/tasks.ts'
import { importTitles } from '../../../engines/formats.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import { Answer } from '../../../answer.ts'
import type { Context } from '../../../context.ts'
import { operation } from '../../../operation.ts'
import { insertNewScore } from '../collections/new-score.ts'
import { checkTargetCollection, appCallerOf } from '../collections/policy.ts'
import { composeTask } from '../tasks/compose.ts'
import { insertTaskWithJob } from '../tasks/new-task.ts'
import { checkOpenTasks } from '../tasks/policy.ts'
import { composeScore } from './compose.ts'
import {
  type Contents,
  contentsOfBuilder,
  contentsOfFile,
  decodeData,
  maxFileBodyBytes,
  storingContents,
  titleOf,
} from './contents.ts'
import { checkPrivacy } from './policy.ts'
import { revisionHeaders } from './present.ts'
import { listOwners, type OwnerRow } from './store.ts'
import { ownersRights } from '../sharing/access.ts'

/** Size above which a file is imported in a background task, in bytes, if the client supports tasks. */
const backgroundImportBytes = 1024 * 1024

const acceptedFormats = new Intl.ListFormat('en', { type: 'disjunction' }).format(importTitles)

export const createScore = operation({
  id: 'createScore',
  tag: 'Score',
  summary: 'Create an empty score, or import a file',
  description:
    '`builderData` describes an empty score. A file is sent as text, or as base64 together with ' +
    `\`dataEncoding\`. The server detects the format from the content: ${acceptedFormats}. ` +
    'Without `collection`, the score goes into the collection of the app that the token belongs to.',
  scopes: ['scores'],
  body: ScoreCreation,
  bodyLimit: maxFileBodyBytes,
  responses: {
    200: {
      body: ScoreDetails,
      headers: { 'x-flat-score-revision': Type.String(), 'x-flat-score-revision-date': DateTime },
    },
    202: Task,
  },
  errors: [400, 402],
  async handle({ ctx, actor, body, request }) {
    if ('source' in body) fail('GOOGLE_DRIVE_NOT_CONNECTED', { param: 'source' })
    // The schema is a union: a body that matches one of the three variants may have fields of another variant
    // with any value.
    if ('builderData' in body && 'data' in body) {
      fail('INVALID_PARAMETER', {
        param: 'data',
        message: 'Send either `builderData` or `data`, not both.',
      })
    }
    const { privacy = 'private', collection } = body
    // These checks come before the slow work, so that an invalid request does not cause it.
    await checkPrivacy(ctx.db.read, actor.id, privacy)
    await checkTargetCollection(ctx.db.read, appCallerOf(actor), collection)

    let title = body.title
    let contents: Contents
    if ('builderData' in body) {
      title = titleOf(title)
      contents = await contentsOfBuilder(ctx, body.builderData, title)
    } else {
      const bytes = decodeData(body.data, body.dataEncoding)
      if (body.supportsTasks && bytes.length > backgroundImportBytes)
        return importInBackground(ctx, actor, body, bytes)
      contents = await contentsOfFile(ctx, bytes, request)
      title = titleOf(title, contents.facts.title, body.filename)
    }
    // What was inserted is presented without reading it again. Only the owner is read, in the same packet.
    const [owners, { row: score, revision }] = await storingContents(ctx, contents, () =>
      ctx.transaction((tx) =>
        Promise.all([
          listOwners(tx, [actor.id]),
          insertNewScore(ctx, tx, appCallerOf(actor), contents, { title, privacy, collection }),
        ]),
      ),
    )
    const created = { score, owner: owners.get(actor.id) as OwnerRow, rights: ownersRights }
    const details = await composeScore(ctx, ctx.db.read, actor, created, request.locale())
    const { warnings } = contents
    const answer = warnings.length > 0 ? { ...details, importWarnings: [...warnings] } : details
    return new Answer(answer, { status: 200, headers: revisionHeaders(revision) })
  },
})

/** Stores the file and responds with a task. The job of the task imports the file. */
async function importInBackground(
  ctx: Context,
  actor: Actor,
  body: ScoreCreationFileImport,
  bytes: Uint8Array,
) {
  const { title, privacy = 'private', collection, filename } = body
  // The check in the transaction would come after the file was written.
  await checkOpenTasks(ctx, ctx.db.read, actor.id)
  const source = await ctx.blobs.prepare(bytes)
  const newTask = {
    user: actor.id,
    type: 'score-save',
    source,
    job: (task: string) => ({
      kind: 'import-score' as const,
      payload: { user: actor.id, task, app: actor.access.app, title, privacy, collection, filename },
    }),
  }
  const task = await ctx.blobs.storing([source], () =>
    ctx.transaction((tx) => insertTaskWithJob(ctx, tx, newTask)),
  )
  return new Answer({ ...(await composeTask(ctx, ctx.db.read, task)), collaborators: [] }, { status: 202 })
}
