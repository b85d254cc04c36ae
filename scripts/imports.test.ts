import { describe, expect, it } from 'vitest'
import { findViolations } from './imports.ts'

function check(files: Record<string, string>): string[] {
  return findViolations(new Map(Object.entries(files)))
}

/** Returns the source of a file that imports these modules. */
function sourceImporting(...targets: string[]): string {
  return targets.map((target, index) => `import { x as x${index} } from '${target}'`).join('\n')
}

describe('a valid tree', () => {
  it('has no violations', () => {
    const broken = check({
      'src/main.ts': sourceImporting('./program.ts'),
      'src/program.ts': sourceImporting('./commands/serve.ts'),
      'src/commands/serve.ts': sourceImporting(
        './command-line.ts',
        '../app.ts',
        '../config.ts',
        '../features/people/users/store.ts',
      ),
      'src/commands/demo/school.ts': sourceImporting(
        '../progress-bar.ts',
        '../../features/people/users/store.ts',
      ),
      'src/app.ts': sourceImporting(
        './http/server.ts',
        './operations.ts',
        './jobs.ts',
        './auth/authenticate.ts',
      ),
      'src/http/server.ts': sourceImporting('fastify', '../operation.ts', '../errors.ts'),
      'src/auth/authenticate.ts': sourceImporting('./tokens/store.ts', '../http/admission.ts'),
      'src/auth/pages/sign-in.ts': sourceImporting('../sessions/store.ts', '../../http/page.ts', 'fastify'),
      'src/operations.ts': sourceImporting('./features/teaching/classes/addClassUser.ts', './operation.ts'),
      'src/jobs.ts': sourceImporting('./features/teaching/classes/archive.job.ts'),
      'src/features/teaching/classes/archive.job.ts': sourceImporting(
        './store.ts',
        '../../../platform/queue/job.ts',
      ),
      'src/features/teaching/classes/addClassUser.ts': sourceImporting(
        './compose.ts',
        './store.ts',
        '../assignments/store.ts',
      ),
      'src/features/teaching/classes/addClassUser.test.ts': sourceImporting(
        '../../../../test/support/app.ts',
        './addClassUser.ts',
      ),
      'src/features/teaching/classes/compose.ts': sourceImporting(
        '../assignments/present.ts',
        './present.ts',
      ),
      'src/features/teaching/classes/store.ts': sourceImporting(
        'kysely',
        '../../people/users/store.ts',
        '../../../platform/db/database.ts',
      ),
      'src/features/teaching/assignments/store.ts': sourceImporting(
        '../classes/lifecycle.ts',
        '../../people/users/store.ts',
      ),
      'src/engines/hosts/pool.ts': sourceImporting('../../music/document.ts', '../../errors.ts'),
      'web/src/app/client.ts': "import type { Api } from '../../../src/operations.ts'",
      'src/platform/db/connection.ts': "import type { Transaction } from './database.ts'",
      'src/platform/db/database.ts': "import type { Connection } from './connection.ts'",
      'src/platform/blobs/store.ts': sourceImporting('kysely', '../db/database.ts', '../../lib/clock.ts'),
    })
    expect(broken).toEqual([])
  })
})

describe('a violation of each rule is reported', () => {
  const cases: [rule: string, files: Record<string, string>, line: string][] = [
    [
      'an operation is imported by the registry only',
      {
        'src/features/people/users/getUser.ts': '',
        'src/features/people/users/getUser.test.ts': '',
        'src/features/library/scores/getScore.ts': sourceImporting('../../people/users/getUser.ts'),
        'src/features/library/scores/getScore.test.ts': '',
      },
      'src/features/library/scores/getScore.ts → src/features/people/users/getUser.ts: only src/operations.ts imports an operation',
    ],
    [
      'an operation has a test',
      { 'src/features/people/users/getUser.ts': '' },
      'src/features/people/users/getUser.ts → src/features/people/users/getUser.test.ts: an operation has its test beside it',
    ],
    [
      'a job handler is imported by its registry only',
      { 'src/app.ts': sourceImporting('./features/library/scores/purge.job.ts') },
      'src/app.ts → src/features/library/scores/purge.job.ts: only src/jobs.ts imports a job handler',
    ],
    [
      'a command is imported by the program only',
      { 'src/app.ts': sourceImporting('./commands/serve.ts') },
      'src/app.ts → src/commands/serve.ts: only src/program.ts imports a command',
    ],
    [
      'compose.ts is imported by operations only',
      { 'src/features/library/scores/present.ts': sourceImporting('./compose.ts') },
      'src/features/library/scores/present.ts → src/features/library/scores/compose.ts: only operations import a compose.ts',
    ],
    [
      'features import only lower features',
      { 'src/features/people/users/store.ts': sourceImporting('../../library/scores/store.ts') },
      'src/features/people/users/store.ts → src/features/library/scores/store.ts: role files of people/users do not build on library/scores',
    ],
    [
      'neighbouring features do not import each other',
      { 'src/features/teaching/classes/policy.ts': sourceImporting('../../library/scores/policy.ts') },
      'src/features/teaching/classes/policy.ts → src/features/library/scores/policy.ts: role files of teaching/classes do not build on library/scores',
    ],
    [
      'a lifecycle does not import the database',
      { 'src/features/teaching/classes/lifecycle.ts': sourceImporting('../../../platform/db/database.ts') },
      'src/features/teaching/classes/lifecycle.ts → src/platform/db/database.ts: lifecycle does not import platform',
    ],
    [
      'a lifecycle does not import its store',
      { 'src/features/teaching/classes/lifecycle.ts': sourceImporting('./store.ts') },
      'src/features/teaching/classes/lifecycle.ts → src/features/teaching/classes/store.ts: lifecycle does not import store',
    ],
    [
      'music does not import http',
      { 'src/music/midi.ts': sourceImporting('../http/server.ts') },
      'src/music/midi.ts → src/http/server.ts: music does not import http',
    ],
    [
      'engines do not import the database',
      { 'src/engines/hosts/pool.ts': sourceImporting('../../platform/db/database.ts') },
      'src/engines/hosts/pool.ts → src/platform/db/database.ts: engines does not import platform',
    ],
    [
      'lib imports only errors',
      { 'src/lib/ids.ts': sourceImporting('../config.ts') },
      'src/lib/ids.ts → src/config.ts: lib does not import config',
    ],
    [
      'the browser app imports only types from the registry',
      { 'web/src/app/client.ts': sourceImporting('../../../src/operations.ts') },
      'web/src/app/client.ts → src/operations.ts: web imports only types of the operations',
    ],
    [
      'the browser app imports only types of what is written in a measure',
      { 'web/src/score/source.ts': sourceImporting('../../../src/music/model/measure-contents.ts') },
      'web/src/score/source.ts → src/music/model/measure-contents.ts: web imports only types of the contents of measures',
    ],
    [
      'only the client of the browser app imports the registry',
      { 'web/src/ui/page.tsx': "import type { Api } from '../../../src/operations.ts'" },
      'web/src/ui/page.tsx → src/operations.ts: web-ui does not import operations',
    ],
    [
      'the browser app does not import modules of Node',
      { 'web/src/ui/page.tsx': sourceImporting('node:fs') },
      'web/src/ui/page.tsx → node:fs: web/ runs in a browser',
    ],
    [
      'the transport does not import features',
      { 'src/http/server.ts': sourceImporting('../features/people/users/store.ts') },
      'src/http/server.ts → src/features/people/users/store.ts: http does not import store',
    ],
    [
      'the transport does not import authentication',
      { 'src/http/server.ts': sourceImporting('../auth/sessions/session-user.ts') },
      'src/http/server.ts → src/auth/sessions/session-user.ts: http does not import role',
    ],
    [
      'the platform does not import features',
      { 'src/platform/queue/worker.ts': sourceImporting('../../jobs.ts') },
      'src/platform/queue/worker.ts → src/jobs.ts: platform does not import jobs',
    ],
    [
      'the browser app imports only the contract and the texts of the server',
      {
        'web/src/app/client.ts': sourceImporting(
          '../../../src/contract/account.ts',
          '../../../src/auth/sessions/session-user.ts',
        ),
      },
      'web/src/app/client.ts → src/auth/sessions/session-user.ts: web-base does not import role',
    ],
    [
      'only the texts and the browser app import the translations',
      { 'src/http/page.ts': sourceImporting('../../locales/en.json') },
      'src/http/page.ts → locales/en.json: http does not import locales',
    ],
    [
      'shared components of the browser app do not import an area',
      { 'web/src/ui/page.tsx': sourceImporting('../features/apps/app-page.tsx') },
      'web/src/ui/page.tsx → web/src/features/apps/app-page.tsx: web-ui does not import web-feature',
    ],
    [
      'an area of the browser app does not import another area',
      { 'web/src/features/apps/app-page.tsx': sourceImporting('../account/tokens.tsx') },
      'web/src/features/apps/app-page.tsx → web/src/features/account/tokens.tsx: an area of the browser app does not import another area',
    ],
    [
      'the server does not import the browser app',
      { 'src/web-app/browser-app.ts': sourceImporting('../../web/src/app/client.ts') },
      'src/web-app/browser-app.ts → web/src/app/client.ts: src/ imports nothing from outside of it',
    ],
    [
      'only http, auth and pages import the web framework',
      { 'src/app.ts': sourceImporting('@fastify/cors') },
      'src/app.ts → @fastify/cors: only http/, auth/ and pages import the web framework',
    ],
    [
      'only stores and policies build queries',
      { 'src/features/library/scores/present.ts': sourceImporting('kysely') },
      'src/features/library/scores/present.ts → kysely: only store.ts and policy.ts of a feature build queries',
    ],
    [
      'src/ does not import from outside',
      { 'src/app.ts': sourceImporting('../test/support/app.ts') },
      'src/app.ts → test/support/app.ts: src/ imports nothing from outside of it',
    ],
    [
      'a test is imported by tests only',
      { 'src/lib/ids.ts': sourceImporting('./clock.test.ts') },
      'src/lib/ids.ts → src/lib/clock.test.ts: only tests import a test',
    ],
    [
      'there are no barrels',
      { 'src/lib/all.ts': "export { systemClock } from './clock.ts'" },
      'src/lib/all.ts → src/lib/clock.ts: no barrels: import from where it is written',
    ],
    [
      'there are no cycles',
      { 'src/lib/a.ts': sourceImporting('./b.ts'), 'src/lib/b.ts': sourceImporting('./a.ts') },
      'src/lib/a.ts → src/lib/b.ts → src/lib/a.ts: no cycles',
    ],
    [
      'a folder outside the layers is refused',
      { 'src/utils/strings.ts': '' },
      'src/utils/strings.ts → src/utils/strings.ts: no layer of the architecture; add it in scripts/imports.ts',
    ],
  ]
  it.each(cases)('%s', (_rule, files, line) => {
    expect(check(files)).toEqual([line])
  })
})

describe('every form of import is recognized', () => {
  it.each([
    "import { a } from '../platform/db/database.ts'",
    "import type { A } from '../platform/db/database.ts'",
    "import * as a from '../platform/db/database.ts'",
    "import '../platform/db/database.ts'",
    "import {\n  a,\n  type B,\n} from '../platform/db/database.ts'",
    "const a = await import('../platform/db/database.ts')",
  ])('%s', (text) => {
    expect(check({ 'src/music/midi.ts': text })).toEqual([
      'src/music/midi.ts → src/platform/db/database.ts: music does not import platform',
    ])
  })
})

describe('a query is begun', () => {
  const query = "const rows = await tx\n  .selectFrom('scores')\n  .execute()"
  const broken = (file: string, text = query) =>
    check({ [file]: text, 'src/features/library/scores/getScore.test.ts': '' }).map(
      (line) => line.split(': ')[0],
    )

  it.each([
    'src/features/library/scores/copies.ts',
    'src/features/library/scores/compose.ts',
    'src/features/library/scores/getScore.ts',
    'src/features/library/scores/delete-scores.job.ts',
    'src/auth/pages/sign-in.ts',
    'src/commands/backup.ts',
  ])('nowhere else, as in %s', (file) => {
    expect(broken(file)).toEqual([`${file} → ${file}`])
    for (const start of ['insertInto', 'updateTable', 'deleteFrom']) {
      expect(broken(file, `tx.${start}('scores')`)).toEqual([`${file} → ${file}`])
    }
  })

  it.each([
    'src/features/library/scores/store.ts',
    'src/features/library/scores/lists.store.ts',
    'src/features/library/scores/policy.ts',
    'src/auth/sessions/pending-sign-ins.store.ts',
    'src/features/library/scores/copies.test.ts',
    'src/platform/db/migrations/001-baseline.ts',
  ])('in %s', (file) => {
    expect(broken(file)).toEqual([])
  })
})
