import type { Transaction } from '../../db/database.ts'
import type { AppsTable } from '../../db/tables.ts'

export async function insertApp(tx: Transaction, app: AppsTable): Promise<void> {
  await tx.insertInto('apps').values(app).execute()
}
