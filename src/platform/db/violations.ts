/**
 * SQLite's extended result codes (https://www.sqlite.org/rescode.html) and PostgreSQL's SQLSTATE of the same
 * errors.
 */
const uniqueCodes: readonly unknown[] = [2067, 1555, 2579, '23505']
const foreignKeyCodes: readonly unknown[] = [787, '23503']

/**
 * Whether a statement failed because a row with the same unique key exists.
 * @param column if given, the violated key must include this column
 */
export function isUniqueViolation(error: unknown, column?: `${string}.${string}`): boolean {
  if (!uniqueCodes.includes(constraintCode(error))) return false
  return column === undefined || violatedColumns(error as Error).includes(column)
}

/**
 * Whether a statement failed because the row that it refers to does not exist, or because another row refers
 * to a row that it deletes.
 */
export function isForeignKeyViolation(error: unknown): boolean {
  return foreignKeyCodes.includes(constraintCode(error))
}

function constraintCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  return 'errcode' in error ? error.errcode : 'code' in error ? error.code : undefined
}

/**
 * SQLite reports `UNIQUE constraint failed: users.name, users.class`. PostgreSQL reports `Key (name,
 * class)=(…)` in the language of the server.
 */
function violatedColumns(error: Error & { table?: string; detail?: string }): string[] {
  if (error.table === undefined) return (error.message.split(': ')[1] ?? '').split(', ')
  const columns = /\(([^()]*)\)=\(/.exec(error.detail ?? '')?.[1] ?? ''
  return columns.split(', ').map((name) => `${error.table}.${name.replaceAll('"', '')}`)
}
