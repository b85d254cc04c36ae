import Type from 'typebox'
import { Task } from '../../../contract/tasks.ts'
import { operation } from '../../../operation.ts'
import { canReadScore } from '../scores/policy.ts'
import { composeTask } from './compose.ts'
import { loadTask } from './policy.ts'

export const getTask = operation({
  id: 'getTask',
  tag: 'Task',
  summary: 'Get the state of a task',
  description:
    'The server keeps a task for one week after its end, while its score exists. The result ' +
    'contains the address of the file only if the caller can see the score. If many other files ' +
    'were exported since, the file may be deleted. A done task then has no result, and a new task ' +
    'creates the file again.',
  scopes: ['tasks.readonly'],
  params: Type.Object({ task: Type.String() }),
  responses: { 200: Task },
  async handle({ ctx, actor, params }) {
    const queries = ctx.db.read
    const task = await loadTask(queries, actor, params.task)
    // The caller may have lost access to the score since the export was requested, or the score may have been
    // deleted.
    const mayDownload =
      task.result_hash !== null &&
      task.score_id !== null &&
      (await canReadScore(queries, actor, task.score_id, task.sharing_key ?? undefined))
    return composeTask(ctx, queries, task, { mayDownload })
  },
})
