import type { Static } from 'typebox'
import { maxRosterBytes } from '../../../contract/roster-limits.ts'
import type { RosterUpload } from '../../../contract/roster.ts'
import { fail } from '../../../errors.ts'
import { decodeBase64 } from '../../../lib/base64.ts'
import { openUploadedRoster, type RosterSource } from './source.ts'

/** The maximum size of a request with files in base64. */
export const rosterBodyLimit = 14 * 1024 * 1024

/**
 * Opens the files of a request.
 * @throws INVALID_PARAMETER if a file cannot be read, or if all are too large together
 */
export async function openFiles(files: Static<typeof RosterUpload>['files']): Promise<RosterSource> {
  let size = 0
  const decoded = files.map(({ name, content }) => {
    const bytes = decodeBase64(content)
    if (!bytes) return fail('INVALID_PARAMETER', { param: 'files', message: `${name} is not in base64.` })
    size += bytes.length
    return { name, bytes }
  })
  if (size > maxRosterBytes)
    fail('INVALID_PARAMETER', { param: 'files', message: 'The files are too large.' })
  return openUploadedRoster(decoded)
}
