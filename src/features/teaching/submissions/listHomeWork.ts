import { HomeWork } from '../../../contract/home.ts'
import { operation } from '../../../operation.ts'
import { isMember } from '../../people/organizations/policy.ts'
import { homeWorkOf } from './home-work.ts'

export const listHomeWork = operation({
  id: 'listHomeWork',
  accepts: 'session',
  acceptsDelegated: true,
  tag: 'Class',
  summary: 'List what the user has to do in the active classes',
  responses: { 200: HomeWork },
  async handle({ ctx, actor }): Promise<HomeWork> {
    // An individual account has no classes.
    if (!isMember(actor)) return { learning: [], teaching: [] }
    return homeWorkOf(ctx.db.read, actor, ctx.clock.now())
  },
})
