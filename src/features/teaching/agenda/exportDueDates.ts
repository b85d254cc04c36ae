import { Readable } from 'node:stream'
import { File } from '../../../answer.ts'
import { icalendarOf } from '../../../lib/icalendar.ts'
import { operation } from '../../../operation.ts'
import { isMember } from '../../people/organizations/policy.ts'
import { listDueMoments } from './calendar.ts'

export const exportDueDates = operation({
  id: 'exportDueDates',
  accepts: 'session',
  tag: 'Class',
  summary: 'Export the due dates of the active classes as a calendar (RFC 5545)',
  responses: { 200: { files: ['text/calendar'] } },
  async handle({ ctx, actor }) {
    // An individual account has no classes.
    const due = isMember(actor) ? await listDueMoments(ctx, actor) : []
    const moments = due.map(({ className, ...moment }) => ({ ...moment, description: className }))
    const stream = Readable.from([Buffer.from(icalendarOf('Partita', moments))])
    return new File({ stream }, 'text/calendar; charset=utf-8', 'partita.ics')
  },
})
