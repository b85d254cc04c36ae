import { revokeAllSignIns } from '../../../auth/sessions/revocation.ts'
import { sendNotice } from '../../../auth/sessions/notices.ts'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { audit } from '../audit/audit.ts'
import { updatePassword, type UserRow } from '../users/store.ts'
import { isAdministrator, type Member } from './policy.ts'
import { listAdministrators } from './store.ts'

/** Sets the password of a member, and tells the member and, if a teacher sets it, the administrators. */
export async function resetPassword(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  user: UserRow,
  passwordHash: string,
): Promise<void> {
  const { organization, id: by } = actor
  const isOwn = user.id === by && !actor.access.isDelegated
  const origin = isAdministrator(actor) ? 'administrator' : 'teacher'
  await updatePassword(tx, user.id, passwordHash, isOwn ? 'own' : origin)
  await revokeAllSignIns(ctx, tx, user.id)
  const event = { organization, actor: by, subject: user.id }
  await audit(tx, ctx, {
    ...event,
    action: 'user.password-changed',
    details: isOwn ? {} : { passwordOrigin: origin },
  })
  if (isOwn || user.is_test_student === 1) return
  await sendNotice(ctx, tx, { user: user.id, notice: 'passwordSet', language: user.locale, by })
  if (origin === 'administrator') return
  for (const { id, locale } of await listAdministrators(tx, organization)) {
    const about = { by, student: user.id }
    await sendNotice(ctx, tx, { user: id, notice: 'studentPasswordSet', language: locale, ...about })
  }
}
