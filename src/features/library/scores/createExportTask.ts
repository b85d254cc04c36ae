import Type from 'typebox'
import { OneOf } from '../../../contract/schema.ts'
import { Task, taskExportFormats, TaskExportOptions } from '../../../contract/tasks.ts'
import { engineOf, exportFormats } from '../../../engines/formats.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { composeTask } from '../tasks/compose.ts'
import { insertTaskWithJob } from '../tasks/new-task.ts'
import { requestedPitches } from './export-pitches.ts'
import { selectedParts } from './exports.ts'
import { canRead, loadScore } from './policy.ts'
import { recordPlay } from './views.store.ts'
import { openRevision } from './write-credits.ts'

export const createExportTask = operation({
  id: 'createExportTask',
  tag: 'Score',
  summary: 'Export a revision in the background',
  description: 'Returns a task. When the task is done, its result contains the address of the file.',
  scopes: ['scores', 'scores.readonly'],
  params: Type.Object({
    score: Type.String(),
    revision: Type.String({ description: 'The id of a revision, or `last`.' }),
    format: OneOf([...taskExportFormats, 'practicefirst'], {
      description: '`pdf` and `abc` are extensions; `practicefirst` is not available.',
    }),
  }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  body: TaskExportOptions,
  bodyRequired: false,
  responses: { 200: Task },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, body, request }) {
    const { format } = params
    const { sharingKey } = query
    const { score } = await loadScore(ctx.db.read, actor, params.score, canRead, sharingKey)
    const revision = await openRevision(ctx, score, params.revision, request)
    if (format === 'practicefirst') fail('FORMAT_NOT_AVAILABLE', { param: 'format' })
    const parts = selectedParts(revision, body.parts)
    const { paper, staffSize, chordSymbols } = body
    const pitches = requestedPitches(body)
    const task = await ctx.transaction(async (tx) => {
      await loadScore(tx, actor, score.id, canRead, sharingKey)
      return insertTaskWithJob(ctx, tx, {
        user: actor.id,
        type: 'audio-export',
        format,
        score: score.id,
        revision: revision.id,
        sharingKey,
        job: (task) => ({
          kind: 'export-score',
          payload: {
            user: actor.id,
            task,
            format,
            title: score.title,
            parts,
            paper,
            staffSize,
            pitches,
            chordSymbols,
          },
        }),
      })
    })
    if (engineOf(exportFormats[format]) === 'audio') recordPlay(ctx, score, request.caller)
    return composeTask(ctx, ctx.db.read, task)
  },
})
