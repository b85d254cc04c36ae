import Type from 'typebox'
import { Task } from '../../contract/tasks.ts'
import { operation } from '../../operation.ts'
import { mayRead } from '../scores/policy.ts'
import { composeTask } from './compose.ts'
import { loadTask } from './policy.ts'

export const getTask = operation({
  id: 'getTask',
  tag: 'Task',
  summary: 'Get the state of a task',
  description:
    'A task is remembered for a week after its end, and as long as its score is there. The result has an address only ' +
    'for those who may see the score.',
  scopes: ['tasks.readonly'],
  params: Type.Object({ task: Type.String() }),
  responses: { 200: Task },
  async handle({ ctx, actor, params }) {
    const queries = ctx.db.read
    const task = await loadTask(queries, actor, params.task)
    // Since the export was asked for, its score may have been closed to the caller, or deleted.
    const mayDownload =
      task.result_blob !== null &&
      task.score_id !== null &&
      (await mayRead(queries, actor, task.score_id, task.sharing_key ?? undefined))
    return composeTask(ctx, queries, task, { mayDownload })
  },
})
