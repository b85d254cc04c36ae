import Type from 'typebox'
import { ClassDetails } from '../../../contract/classes.ts'
import { OneOf } from '../../../contract/schema.ts'
import { operation } from '../../../operation.ts'
import { checkMember } from '../../people/organizations/policy.ts'
import { composeClasses } from './compose.ts'
import { visibleTo } from './policy.ts'
import { listClassesOf } from './store.ts'

export const listClasses = operation({
  id: 'listClasses',
  tag: 'Class',
  summary: 'List your classes',
  description: 'Lists the classes of the caller, newest first. Students do not see inactive classes.',
  scopes: ['edu.classes', 'edu.classes.readonly'],
  query: Type.Object({
    state: Type.Optional(OneOf(['active', 'inactive', 'archived'], { default: 'active' })),
  }),
  responses: { 200: Type.Array(ClassDetails) },
  async handle({ ctx, actor, query }) {
    const member = checkMember(actor)
    const classes = await listClassesOf(ctx.db.read, member.id, query.state ?? 'active')
    const seen = classes.flatMap((schoolClass) => visibleTo(member, schoolClass) ?? [])
    return composeClasses(ctx, ctx.db.read, actor.id, seen)
  },
})
