import { sql } from 'kysely'
import { defaultMailFrequency, type MailFrequency } from '../../../contract/mail-frequencies.ts'

import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { NotificationMailsTable } from '../../../platform/db/people-tables.ts'

type Mails = Pick<NotificationMailsTable, 'frequency' | 'mailed_until'>

const mailsOf = compiled((db, p: Params<{ user: string }>) =>
  db.selectFrom('notification_mails').where('user_id', '=', p('user')).select(['frequency', 'mailed_until']),
)

/** Returns how often a user gets mails about notifications, and what they have told. */
export async function findMails(queries: Queries, user: string): Promise<Mails> {
  const [mails] = await mailsOf(queries, { user })
  return mails ?? { frequency: defaultMailFrequency, mailed_until: '' }
}

/** Changes how often a user gets mails about notifications, or what they have told. */
export async function saveMails(tx: Transaction, user: string, change: Partial<Mails>): Promise<void> {
  await tx
    .insertInto('notification_mails')
    .values({ user_id: user, frequency: defaultMailFrequency, mailed_until: '', ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute()
}

interface DueParams {
  frequency: MailFrequency
  /** Only users who have an unread notification of this period, in milliseconds since 1970, that was not mailed. */
  since: number
  until: number
  /** Only users with greater ids. */
  after: string
  limit: number
}

const dueUsers = (withRow: boolean) =>
  compiled(
    (db, p: Params<DueParams>) =>
      db
        .selectFrom('notifications')
        .innerJoin('users', 'users.id', 'notifications.user_id')
        .leftJoin('notification_mails as mails', 'mails.user_id', 'notifications.user_id')
        .where('notifications.read_at', 'is', null)
        .where('notifications.user_id', '>', p('after'))
        .where('notifications.created_at', '>', p('since'))
        .where('notifications.created_at', '<=', p('until'))
        .where((eb) => eb('notifications.id', '>', eb.fn.coalesce('mails.mailed_until', sql.lit(''))))
        .where((eb) =>
          eb(eb.fn.coalesce('mails.frequency', sql.lit(defaultMailFrequency)), '=', p('frequency')),
        )
        .$if(withRow, (query) => query.where('mails.frequency', '=', 'immediately'))
        .where('users.deletion_at', 'is', null)
        .where('users.email', 'is not', null)
        .where((eb) => eb.or([eb('users.email_verified', '=', 1), eb('users.email_vouched', '=', 1)]))
        .groupBy('notifications.user_id')
        .orderBy('notifications.user_id')
        .select('notifications.user_id')
        .limit(p('limit')),
    { isScan: true },
  )

const dueNow = dueUsers(true)
const dueLater = dueUsers(false)

/** Returns some users who are due a mail about unread notifications, in the order of their ids. */
export async function listUsersToMail(queries: Queries, by: DueParams): Promise<string[]> {
  const rows = await (by.frequency === 'immediately' ? dueNow : dueLater)(queries, by)
  return rows.map(({ user_id }) => user_id)
}
