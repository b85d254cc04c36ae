import type { Migration } from '../migrate.ts'
import { baseline } from './001-baseline.ts'

/** All migrations in order. A migration that was released is never changed, renamed or removed. */
export const migrations: readonly Migration[] = [baseline]
