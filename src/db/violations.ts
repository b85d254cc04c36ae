/** SQLite's extended result codes, https://www.sqlite.org/rescode.html, and PostgreSQL's SQLSTATE of the same thing. */
const uniqueCodes: readonly unknown[] = [2067, 1555, 2579, '23505']
const foreignKeyCodes: readonly unknown[] = [787, '23503']

/** Whether a statement failed because a row with the same unique key is there; given a column, whether it is in that key. */
export function isUniqueViolation(error: unknown, column?: `${string}.${string}`): boolean {
  if (!uniqueCodes.includes(constraintCode(error))) return false
  return column === undefined || violatedColumns(error as Error).includes(column)
}

/** Whether a statement failed because the row it refers to is not there, or because a row still refers to what it deletes. */
export function isForeignKeyViolation(error: unknown): boolean {
  return foreignKeyCodes.includes(constraintCode(error))
}

function constraintCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  return 'errcode' in error ? error.errcode : 'code' in error ? error.code : undefined
}

/** SQLite says `UNIQUE constraint failed: users.name, users.class`; PostgreSQL `Key (name, class)=(…)`, in its language. */
function violatedColumns(error: Error & { table?: string; detail?: string }): string[] {
  if (error.table === undefined) return (error.message.split(': ')[1] ?? '').split(', ')
  const columns = /\(([^()]*)\)=\(/.exec(error.detail ?? '')?.[1] ?? ''
  return columns.split(', ').map((name) => `${error.table}.${name.replaceAll('"', '')}`)
}
