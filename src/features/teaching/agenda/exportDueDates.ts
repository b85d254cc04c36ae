import { Readable } from 'node:stream'
import { File } from '../../../answer.ts'
import { pathTo } from '../../../contract/app-pages.ts'
import { icalendarOf } from '../../../lib/icalendar.ts'
import { operation } from '../../../operation.ts'
import { isMember } from '../../people/organizations/policy.ts'
import { listOpen } from '../submissions/home-work.ts'

export const exportDueDates = operation({
  id: 'exportDueDates',
  accepts: 'session',
  tag: 'Class',
  summary: 'Export the due dates of the active classes as a calendar (RFC 5545)',
  responses: { 200: { files: ['text/calendar'] } },
  async handle({ ctx, actor }) {
    const now = ctx.clock.now()
    // An individual account has no classes.
    const open = isMember(actor) ? await listOpen(ctx.db.read, actor, now) : []
    const { publicUrl } = ctx.config
    const moments = open.flatMap(({ schoolClass, assignment: { id, title, due_at } }) => {
      if (due_at === null) return []
      const address = { class: schoolClass.id, assignment: id }
      const url = publicUrl + pathTo('/classes/{class}/work/{assignment}', address)
      return {
        uid: `${id}@${new URL(publicUrl).hostname}`,
        at: due_at,
        summary: title,
        description: schoolClass.name,
        url,
      }
    })
    const stream = Readable.from([Buffer.from(icalendarOf('Partita', moments, now))])
    return new File({ stream }, 'text/calendar; charset=utf-8', 'partita.ics')
  },
})
