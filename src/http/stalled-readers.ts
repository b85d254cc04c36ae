import type { ServerResponse } from 'node:http'
import { minute } from '../lib/durations.ts'

/** Milliseconds in which a client that gets a file must take some of it. */
const limit = 5 * minute

/** Closes the connection of a client that takes no more of its response, so that it cannot hold a file open. */
export function closeIfStalled(response: ServerResponse, milliseconds: number = limit): void {
  response.setTimeout(milliseconds, () => response.destroy())
}
