import type { RosterPreview, RosterProgress } from '../../../../src/contract/roster.ts'
import { call } from '../../app/client.ts'

/** A file of a roster, with its content in base64. */
export interface RosterFile {
  readonly name: string
  readonly content: string
}

/** Returns how many people, classes, groups and memberships an import would create or change. */
export const changeCount = ({ people, classes, groups, memberships }: RosterPreview): number =>
  [people, classes, groups, memberships].reduce((sum, { created, changed }) => sum + created + changed, 0)

/**
 * Imports a roster in requests of a few seconds. Yields the answer of each.
 * @throws Refusal
 */
export async function* rosterImport(roster: {
  files: readonly RosterFile[]
  createPasswords: boolean
}): AsyncGenerator<RosterProgress> {
  const { createPasswords } = roster
  for (;;) {
    const progress = await call('applyRoster', { body: { files: [...roster.files], createPasswords } })
    yield progress
    if (progress.isDone) return
  }
}
