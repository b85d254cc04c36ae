import { availableParallelism } from 'node:os'
import { type Bounded, bounded } from './bounded.ts'

/**
 * A server checks and hashes few passwords at a time, so that others are served while many try; who comes when a hundred wait is
 * refused (SERVER_BUSY), and so is a fourth for one account. One core at least is left to requests.
 */
export const passwordPlaces = (): Bounded => bounded(Math.max(1, Math.min(3, availableParallelism() - 1)), 100, 3)
