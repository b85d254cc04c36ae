import Type from 'typebox'
import { DateTime } from '../../contract/schema.ts'
import { ScoreCreation, type ScoreCreationFileImport, ScoreDetails } from '../../contract/scores.ts'
import { Task } from '../../contract/tasks.ts'
import { fail } from '../../errors.ts'
import { type Actor, Answer, type Context, operation } from '../../operation.ts'
import { insertNewScore } from '../collections/new-score.ts'
import { checkPlace, placingOf } from '../collections/policy.ts'
import { composeTask } from '../tasks/compose.ts'
import { insertTaskWithJob } from '../tasks/new-task.ts'
import { checkOpenTasks } from '../tasks/policy.ts'
import { composeWrittenScore } from './compose.ts'
import { type Contents, contentsOfBuilder, contentsOfFile, decodeData, largestFileBody, titleOf } from './contents.ts'
import { checkPrivacy } from './policy.ts'
import { revisionHeaders } from './present.ts'

/** Files above this are imported after the answer, in bytes, where the client can wait for a task. */
const slowImport = 1024 * 1024

export const createScore = operation({
  id: 'createScore',
  tag: 'Score',
  summary: 'Create a score: empty, or from a file',
  description:
    'An empty score is built from `builderData`. A file is sent as text, or as base64 with `dataEncoding`; its format is ' +
    'found from its content: MusicXML (plain or compressed), MIDI, or the JSON form. Without `collection` the score goes ' +
    'into the collection of the app whose token it is.',
  scopes: ['scores'],
  body: ScoreCreation,
  bodyLimit: largestFileBody,
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
    // A body that fits one of the three kinds may have the fields of another in any shape.
    if ('builderData' in body && 'data' in body) {
      fail('INVALID_PARAMETER', {
        param: 'data',
        message: 'A score is made from `builderData` or from `data`, not both.',
      })
    }
    const { privacy = 'private', collection } = body
    // Before the slow work, which they would make vain.
    await checkPrivacy(ctx.db.read, actor.id, privacy)
    await checkPlace(ctx.db.read, placingOf(actor), collection)

    let title = body.title
    let contents: Contents
    if ('builderData' in body) {
      title = titleOf(title)
      contents = await contentsOfBuilder(ctx, body.builderData, title)
    } else {
      const bytes = decodeData(body.data, body.dataEncoding)
      if (body.supportsTasks && bytes.length > slowImport) return importLater(ctx, actor, body, bytes)
      contents = await contentsOfFile(ctx, bytes)
      title = titleOf(title, contents.facts.title, body.filename)
    }
    const { score, revision } = await ctx.transaction((tx) =>
      insertNewScore(ctx, tx, placingOf(actor), contents, { title, privacy, collection }),
    )
    const details = await composeWrittenScore(ctx, ctx.db.read, actor, score, request.locale())
    return new Answer(details, { status: 200, headers: revisionHeaders(revision) })
  },
})

/** Keeps the file and answers with the task whose job will import it. */
async function importLater(ctx: Context, actor: Actor, body: ScoreCreationFileImport, bytes: Uint8Array) {
  const { title, privacy = 'private', collection, filename } = body
  await checkOpenTasks(ctx.db.read, actor)
  const source = await ctx.blobs.prepare(bytes)
  const task = await ctx.transaction(async (tx) => {
    await ctx.blobs.insert(tx, source)
    return insertTaskWithJob(ctx, tx, {
      user: actor.id,
      type: 'score-save',
      source: source.hash,
      job: (task) => ({
        kind: 'import-score',
        payload: { task, app: actor.token.app, title, privacy, collection, filename },
      }),
    })
  })
  return new Answer({ ...(await composeTask(ctx, ctx.db.read, task)), collaborators: [] }, { status: 202 })
}
