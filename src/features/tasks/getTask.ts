import Type from 'typebox'
import { Task } from '../../contract/tasks.ts'
import { operation } from '../../operation.ts'
import { composeTask } from './compose.ts'
import { loadTask } from './policy.ts'

export const getTask = operation({
  id: 'getTask',
  tag: 'Task',
  summary: 'Get the state of a task',
  scopes: ['tasks.readonly'],
  params: Type.Object({ task: Type.String() }),
  responses: { 200: Task },
  async handle({ ctx, actor, params }) {
    return composeTask(ctx, ctx.db.read, await loadTask(ctx.db.read, actor, params.task))
  },
})
