import type { Migration } from '../migrate.ts'
import { createBlobs } from './001-blobs.ts'
import { createJobs } from './002-jobs.ts'
import { createAccounts } from './003-accounts.ts'
import { createScores } from './004-scores.ts'
import { createSharing } from './005-sharing.ts'
import { createSchools } from './006-schools.ts'
import { extendSchools } from './007-rosters.ts'
import { createAssignments } from './008-assignments.ts'
import { createSubmissions } from './009-submissions.ts'
import { createEduResources } from './010-edu-resources.ts'
import { createOAuth } from './011-oauth.ts'
import { createIdempotency } from './012-idempotency.ts'
import { createWebLinks } from './013-web-links.ts'
import { extendSessions } from './014-sessions.ts'
import { createSecondFactors } from './015-second-factors.ts'
import { createSignInProviders } from './016-sign-in-providers.ts'
import { indexRights } from './017-rights.ts'
import { extendHandingIn } from './018-handing-in.ts'
import { extendGrades } from './019-grades.ts'
import { extendLibraries } from './020-libraries.ts'
import { extendRevisions } from './021-revision-facts.ts'

/** Every step of the tables' history, in order. One that has landed is never changed, renamed or removed. */
export const migrations: readonly Migration[] = [
  createBlobs,
  createJobs,
  createAccounts,
  createScores,
  createSharing,
  createSchools,
  extendSchools,
  createAssignments,
  createSubmissions,
  createEduResources,
  createOAuth,
  createIdempotency,
  createWebLinks,
  extendSessions,
  createSecondFactors,
  createSignInProviders,
  indexRights,
  extendHandingIn,
  extendGrades,
  extendLibraries,
  extendRevisions,
]
