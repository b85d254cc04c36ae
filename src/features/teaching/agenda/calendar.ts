import type { Context } from '../../../context.ts'
import { pathTo } from '../../../contract/app-pages.ts'
import type { CalendarMoment } from '../../../lib/icalendar.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { listOpen } from '../submissions/home-work.ts'

/** An event of a calendar for the due date of an assignment, with the name of its class. */
export interface DueMoment extends CalendarMoment {
  readonly className: string
}

/** Returns the due dates of the open assignments that a member can see, in the active classes of the member. */
export async function listDueMoments(
  { db, config, clock }: Pick<Context, 'db' | 'config' | 'clock'>,
  member: Member,
): Promise<DueMoment[]> {
  const { publicUrl } = config
  const { hostname } = new URL(publicUrl)
  const open = await listOpen(db.read, member, clock.now())
  return open.flatMap(({ schoolClass, assignment: { id, title, due_at, modified_at } }) => {
    if (due_at === null) return []
    const path = pathTo('/classes/{class}/work/{assignment}', { class: schoolClass.id, assignment: id })
    const moment = { uid: `${id}@${hostname}`, at: due_at, changedAt: modified_at, summary: title }
    return [{ ...moment, url: publicUrl + path, className: schoolClass.name }]
  })
}
