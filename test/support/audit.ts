import type { TestApp } from './app.ts'

/** What the audit log has of this account or thing, the oldest first. */
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

/** The same without who signed in, which tests of something else do all the time. */
export const actsOn = async (app: TestApp, subject: string) =>
  (await auditOf(app, subject)).filter(({ action }) => !/^user\.(signed-(in|out)|sign-in-failed)$/.test(action))
