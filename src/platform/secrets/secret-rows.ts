import type { Queries, Transaction } from '../db/database.ts'
import type { SecretBox } from './secret-box.ts'

/** The rows of a table that contain encrypted secrets, so that a command can encrypt them with another key. */
export interface SecretRows<Row> {
  /** Returns at most `limit` rows with a key greater than `after`, in the order of their keys. */
  list(queries: Queries, after: string, limit: number): Promise<Row[]>
  keyOf(row: Row): string
  /**
   * Encrypts the secrets of a row with the current key, also those in clear text. Returns false if they were already.
   * @throws SecretError if one cannot be decrypted
   */
  encrypt(secrets: SecretBox, tx: Transaction, row: Row): Promise<boolean>
}
