import { availableParallelism } from 'node:os'
import { type Bounded, bounded } from './bounded.ts'

/**
 * Passwords are checked and hashed on threads beside the event loop, a few at a time, so that others are served while many
 * try; who comes when a hundred wait is refused (SERVER_BUSY), and so is a fourth for one account. The threads are shared with files and compression, and one
 * core at least is left to requests.
 */
export const passwordThreads = (): Bounded => bounded(Math.max(1, Math.min(3, availableParallelism() - 1)), 100, 3)
