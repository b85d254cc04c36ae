import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { AccountNotice } from '../../platform/queue/kinds.ts'

/**
 * Queues a mail that tells a user what was done to the account, in case another person did it. Does nothing if the server
 * sends no mails.
 * @param language of the mail
 */
export async function sendNotice(
  { mailer, jobs }: Context,
  tx: Transaction,
  payload: { user: string; notice: AccountNotice; language: string },
): Promise<void> {
  if (mailer) await jobs.enqueue(tx, { kind: 'send-account-notice', payload })
}
