import { type RawBuilder, sql } from 'kysely'
import type { DialectName } from './dialects.ts'

/** The column types of migrations, the same for both databases. */
export interface ColumnTypes {
  /** Ids, codes and sort keys: text that is compared byte by byte. */
  readonly key: RawBuilder<unknown>
  /** Text that is never compared by order. JSON is text as well. */
  readonly text: RawBuilder<unknown>
  /** Whole numbers up to 2^53: counts, times in milliseconds since 1970, and flags, which are 0 or 1. */
  readonly integer: RawBuilder<unknown>
  readonly real: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
}

export const columnTypes: Record<DialectName, ColumnTypes> = {
  sqlite: {
    key: sql`text`,
    text: sql`text`,
    integer: sql`integer`,
    real: sql`real`,
    bytes: sql`blob`,
  },
  postgres: {
    key: sql`text collate "C"`,
    text: sql`text`,
    integer: sql`bigint`,
    real: sql`double precision`,
    bytes: sql`bytea`,
  },
}
