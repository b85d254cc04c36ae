import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { JobPayloads } from '../../platform/queue/kinds.ts'

/**
 * Queues a mail that tells a user what was done to the account or, as an administrator, to the account of a student. Does nothing if the server
 * sends no mails.
 */
export async function sendNotice(
  { mailer, jobs }: Context,
  tx: Transaction,
  payload: JobPayloads['send-account-notice'],
): Promise<void> {
  if (mailer) await jobs.enqueue(tx, { kind: 'send-account-notice', payload })
}
