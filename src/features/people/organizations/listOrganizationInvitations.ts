import Type from 'typebox'
import { OrganizationInvitation } from '../../../contract/organizations.ts'
import { linkHeader, pagingQuery } from '../../../contract/paging.ts'
import { OneOf } from '../../../contract/schema.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { listInvitations, listInvitationUsers, presentInvitation } from './invitations.store.ts'
import { checkAdministrator } from './policy.ts'

export const listOrganizationInvitations = operation({
  id: 'listOrganizationInvitations',
  tag: 'Organization',
  summary: 'List the invitations of an organization',
  description:
    'Sorted by date, newest first. The code of an invitation to a role above the caller’s own role ' +
    'is not returned, because it would give the caller that role.',
  scopes: ['edu.admin', 'edu.admin.users', 'edu.admin.users.readonly'],
  checkRole: checkAdministrator,
  query: Type.Object({
    role: Type.Optional(OneOf(['user', 'teacher', 'admin'])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50 })),
    next: pagingQuery.next,
    previous: pagingQuery.previous,
  }),
  responses: { 200: { body: Type.Array(OrganizationInvitation), headers: linkHeader } },
  async handle({ ctx, actor, query: { limit = 50, ...query } }) {
    const administrator = checkAdministrator(actor)
    const page = await listInvitations(ctx.db.read, administrator.organization, { ...query, limit })
    const { rows, cursors } = page
    const users = await listInvitationUsers(
      ctx.db.read,
      rows.map(({ id }) => id),
    )
    const invitations = rows.map((row) =>
      presentInvitation(row, users.get(row.id) ?? [], administrator, ctx.config.publicUrl),
    )
    return new Answer(invitations, { cursors, headers: { 'Cache-Control': 'no-store' } })
  },
})
