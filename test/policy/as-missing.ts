import { expect } from 'vitest'
import type { Reply } from '../support/client.ts'

/** A valid id of no object. */
export const missing = '0123456789abcdef01234567'

/**
 * Expects that the response for an object that the caller cannot see equals the response for a missing one,
 * apart from the ids.
 */
export function expectAsForMissing(foreign: Reply, none: Reply, ...ids: string[]): void {
  expect(none.status).toBe(foreign.status)
  const text = ({ bytes }: Reply) =>
    ids.reduce((all, id) => all.replaceAll(id, missing), Buffer.from(bytes).toString())
  expect(text(foreign)).toBe(text(none))
  const changing = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
  const headers = (reply: Reply) => [...reply.headers].filter(([name]) => !changing.has(name))
  expect(headers(foreign)).toEqual(headers(none))
}
