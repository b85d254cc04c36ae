import { AuditLog, AuditLogQuery } from '../../../contract/account.ts'
import { auditedActions } from '../../../contract/audited-actions.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import { operation } from '../../../operation.ts'
import { readingFor } from './compose.ts'
import { listNewest } from './listing.ts'
import { listUsernames } from './store.ts'

const isIdText = (value: unknown): value is string => typeof value === 'string' && isId(value)
const actions: string[] = [...auditedActions]

export const listAuditLog = operation({
  id: 'listAuditLog',
  accepts: 'session',
  tag: 'Organization',
  summary: 'List the audit log of the organization, newest events first',
  query: AuditLogQuery,
  responses: { 200: AuditLog },
  async handle({ ctx, actor, query: { cursor, limit = 50, ...filter } }) {
    const reading = await readingFor(ctx.db.read, actor, filter)
    if (cursor !== undefined && !isId(cursor)) fail('INVALID_CURSOR', { param: 'cursor' })
    const { events, next } = await listNewest(ctx.db.read, reading, { after: cursor, limit })
    const ids = events.flatMap(({ details }) => Object.values(details).filter(isIdText))
    const usernames = await listUsernames(ctx.db.read, [...new Set(ids)], reading.namesOf)
    return {
      events: events.map(({ organization: _own, actor, subject, details, ...event }) => ({
        ...event,
        actor: actor ? { id: actor.id, username: actor.username ?? null } : null,
        subject: subject ? { id: subject.id, username: subject.username ?? null } : null,
        // People read names. The file has the ids.
        details: JSON.stringify(details, (_key, value) => usernames.get(value) ?? value),
      })),
      next: next ?? null,
      actions,
    }
  },
})
