import type { Transaction } from '../db/database.ts'
import type { AccountNotice } from '../jobs/kinds.ts'
import type { Visit } from './route.ts'

/** Has somebody told by mail, where mails are sent, what was done to the account: it may have been somebody else. */
export async function tellOf({ ctx, visitor, texts }: Visit, tx: Transaction, notice: AccountNotice): Promise<void> {
  if (!ctx.mailer) return
  const payload = { user: visitor.user.id, notice, language: texts.language }
  await ctx.jobs.enqueue(tx, { kind: 'send-account-notice', payload })
}
