import type { TestApp } from './app.ts'

/** Returns the events of the audit log about this account or object, the oldest first. */
export async function auditOf({ ctx }: TestApp, subject: string) {
  const events = await ctx.db.read
    .selectFrom('audit_events')
    .selectAll()
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute()
  return events.map(({ organization_id: organization, actor_id: actor, action, details }) => ({
    organization,
    actor,
    action,
    details: JSON.parse(details),
  }))
}

/** Returns the same events without sign-ins, which most tests cause without testing them. */
export const actsOn = async (app: TestApp, subject: string) =>
  (await auditOf(app, subject)).filter(
    ({ action }) => !/^user\.(signed-(in|out)|sign-in-failed)$/.test(action),
  )

/** Returns only the actions of these events. */
export const actionsOn = async (app: TestApp, { id }: { id: string }) =>
  (await actsOn(app, id)).map(({ action }) => action)
