import { Readable } from 'node:stream'
import { File } from '../../../answer.ts'
import { AuditLogFilter } from '../../../contract/account.ts'
import { csvOf } from '../../../lib/csv.ts'
import { operation } from '../../../operation.ts'
import { readingFor } from './compose.ts'
import { eventTable } from './listing.ts'

export const exportAuditLogAsCsv = operation({
  id: 'exportAuditLogAsCsv',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Export the audit log of the organization as CSV, oldest events first',
  query: AuditLogFilter,
  responses: { 200: { files: ['text/csv'] } },
  async handle({ ctx, actor, query }) {
    const table = eventTable(ctx.db.read, await readingFor(ctx.db.read, actor, query))
    const stream = Readable.from(csvOf(table), { objectMode: false })
    return new File({ stream }, 'text/csv; charset=utf-8', 'audit-log.csv')
  },
})
