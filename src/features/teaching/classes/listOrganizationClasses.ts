import Type from 'typebox'
import { OrganizationClass } from '../../../contract/organization-overview.ts'
import { linkHeader, pagingQuery } from '../../../contract/paging.ts'
import { OneOf } from '../../../contract/schema.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { checkAdministrator } from '../../people/organizations/policy.ts'
import { composeOrganizationClasses } from './organization-classes.ts'
import { listClassesOfOrganization } from './organization-classes.store.ts'

export const listOrganizationClasses = operation({
  id: 'listOrganizationClasses',
  accepts: 'session',
  tag: 'Organization',
  summary: 'List all classes of the organization by name',
  query: Type.Object({
    q: Type.Optional(
      Type.String({ maxLength: 100, description: 'Words that must occur in the name of the class.' }),
    ),
    state: Type.Optional(OneOf(['inactive', 'active', 'archived'])),
    limit: pagingQuery.limit,
    next: pagingQuery.next,
    previous: pagingQuery.previous,
  }),
  responses: { 200: { body: Type.Array(OrganizationClass), headers: linkHeader } },
  async handle({ ctx, actor, query: { q: search, state, limit = 25, next, previous } }) {
    const { organization } = checkAdministrator(actor)
    const page = { limit, next, previous }
    const { rows, cursors } = await listClassesOfOrganization(
      ctx.db.read,
      organization,
      { search, state },
      page,
    )
    return new Answer(await composeOrganizationClasses(ctx.db.read, rows), { cursors })
  },
})
