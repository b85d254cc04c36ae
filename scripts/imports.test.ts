import { describe, expect, it } from 'vitest'
import { brokenArrows } from './imports.ts'

function check(files: Record<string, string>): string[] {
  return brokenArrows(new Map(Object.entries(files)))
}

/** A file that only imports what is named. */
function importing(...targets: string[]): string {
  return targets.map((target, index) => `import { x as x${index} } from '${target}'`).join('\n')
}

describe('an honest tree', () => {
  it('has no broken arrow', () => {
    const broken = check({
      'src/main.ts': importing('./commands/serve.ts'),
      'src/commands/serve.ts': importing(
        './command-line.ts',
        '../app.ts',
        '../config.ts',
        '../features/users/store.ts',
      ),
      'src/commands/demo/school.ts': importing('../progress-bar.ts', '../../features/users/store.ts'),
      'src/app.ts': importing('./http/server.ts', './operations.ts', './jobs/registry.ts', './db/sqlite.ts'),
      'src/http/server.ts': importing('fastify', '../operations.ts', '../errors.ts'),
      'src/operations.ts': importing('./features/classes/addClassUser.ts', './operation.ts'),
      'src/jobs/registry.ts': importing('../features/classes/archive.job.ts'),
      'src/features/classes/archive.job.ts': importing('./store.ts', '../../jobs/job.ts'),
      'src/features/classes/addClassUser.ts': importing('./compose.ts', './store.ts', '../assignments/store.ts'),
      'src/features/classes/addClassUser.test.ts': importing('../../../test/support/app.ts', './addClassUser.ts'),
      'src/features/classes/compose.ts': importing('../assignments/present.ts', './present.ts'),
      'src/features/classes/store.ts': importing('kysely', '../users/store.ts', '../../db/database.ts'),
      'src/features/assignments/store.ts': importing('../classes/lifecycle.ts', '../users/store.ts'),
      'src/engines/pool.ts': importing('../music/document.ts', '../errors.ts'),
      'src/db/connection.ts': "import type { Transaction } from './database.ts'",
      'src/db/database.ts': "import type { Connection } from './connection.ts'",
      'src/blobs/store.ts': importing('kysely', '../db/database.ts', '../lib/clock.ts'),
    })
    expect(broken).toEqual([])
  })
})

describe('each rule fails when it is broken', () => {
  const cases: [rule: string, files: Record<string, string>, line: string][] = [
    [
      'an operation is imported by the registry only',
      {
        'src/features/users/getUser.ts': '',
        'src/features/users/getUser.test.ts': '',
        'src/features/scores/getScore.ts': importing('../users/getUser.ts'),
        'src/features/scores/getScore.test.ts': '',
      },
      'src/features/scores/getScore.ts → src/features/users/getUser.ts: only src/operations.ts imports an operation',
    ],
    [
      'an operation has a test',
      { 'src/features/users/getUser.ts': '' },
      'src/features/users/getUser.ts → src/features/users/getUser.test.ts: an operation has its test beside it',
    ],
    [
      'a job handler is imported by its registry only',
      { 'src/app.ts': importing('./features/scores/purge.job.ts') },
      'src/app.ts → src/features/scores/purge.job.ts: only src/jobs/registry.ts imports a job handler',
    ],
    [
      'a command is imported by main only',
      { 'src/app.ts': importing('./commands/serve.ts') },
      'src/app.ts → src/commands/serve.ts: only src/main.ts imports a command',
    ],
    [
      'compose.ts is imported by operations only',
      { 'src/features/scores/present.ts': importing('./compose.ts') },
      'src/features/scores/present.ts → src/features/scores/compose.ts: only operations import a compose.ts',
    ],
    [
      'features build on one another along the arrows',
      { 'src/features/users/store.ts': importing('../scores/store.ts') },
      'src/features/users/store.ts → src/features/scores/store.ts: role files of users do not build on scores',
    ],
    [
      'arrows are not drawn between neighbours',
      { 'src/features/classes/policy.ts': importing('../scores/policy.ts') },
      'src/features/classes/policy.ts → src/features/scores/policy.ts: role files of classes do not build on scores',
    ],
    [
      'a lifecycle knows no database',
      { 'src/features/classes/lifecycle.ts': importing('../../db/database.ts') },
      'src/features/classes/lifecycle.ts → src/db/database.ts: lifecycle does not import db',
    ],
    [
      'a lifecycle does not reach the database through its store',
      { 'src/features/classes/lifecycle.ts': importing('./store.ts') },
      'src/features/classes/lifecycle.ts → src/features/classes/store.ts: lifecycle does not import store',
    ],
    [
      'music knows no HTTP',
      { 'src/music/midi.ts': importing('../http/server.ts') },
      'src/music/midi.ts → src/http/server.ts: music does not import http',
    ],
    [
      'engines know no database',
      { 'src/engines/pool.ts': importing('../db/database.ts') },
      'src/engines/pool.ts → src/db/database.ts: engines does not import db',
    ],
    [
      'lib imports nothing of ours but the errors',
      { 'src/lib/ids.ts': importing('../config.ts') },
      'src/lib/ids.ts → src/config.ts: lib does not import config',
    ],
    [
      'blobs know no jobs',
      { 'src/blobs/sweep.ts': importing('../jobs/queue.ts') },
      'src/blobs/sweep.ts → src/jobs/queue.ts: blobs does not import jobs',
    ],
    [
      'the pages in the browser know nothing of the server but the contract and the texts',
      { 'web/src/client.ts': importing('../../src/contract/account.ts', '../../src/http/session.ts') },
      'web/src/client.ts → src/http/session.ts: web does not import http',
    ],
    [
      'nothing of the server imports the pages',
      { 'src/account/browser-app.ts': importing('../../web/src/client.ts') },
      'src/account/browser-app.ts → web/src/client.ts: src/ imports nothing from outside of it',
    ],
    [
      'only http, oauth and account know the web framework',
      { 'src/app.ts': importing('@fastify/cors') },
      'src/app.ts → @fastify/cors: only http/, oauth/ and account/ know the web framework',
    ],
    [
      'only stores and policies build queries',
      { 'src/features/scores/present.ts': importing('kysely') },
      'src/features/scores/present.ts → kysely: only store.ts and policy.ts of a feature build queries',
    ],
    [
      'nothing outside of src is imported',
      { 'src/app.ts': importing('../test/support/app.ts') },
      'src/app.ts → test/support/app.ts: src/ imports nothing from outside of it',
    ],
    [
      'a test is imported by tests only',
      { 'src/lib/ids.ts': importing('./clock.test.ts') },
      'src/lib/ids.ts → src/lib/clock.test.ts: only tests import a test',
    ],
    [
      'there are no barrels',
      { 'src/lib/all.ts': "export { systemClock } from './clock.ts'" },
      'src/lib/all.ts → src/lib/clock.ts: no barrels: import from where it is written',
    ],
    [
      'there are no cycles',
      { 'src/lib/a.ts': importing('./b.ts'), 'src/lib/b.ts': importing('./a.ts') },
      'src/lib/a.ts → src/lib/b.ts → src/lib/a.ts: no cycles',
    ],
    [
      'a folder that is not drawn is not part of the house',
      { 'src/utils/strings.ts': '' },
      'src/utils/strings.ts → src/utils/strings.ts: no floor of the house; draw it in scripts/imports.ts',
    ],
  ]
  it.each(cases)('%s', (_rule, files, line) => {
    expect(check(files)).toEqual([line])
  })
})

describe('an import is seen however it is written', () => {
  it.each([
    "import { a } from '../db/database.ts'",
    "import type { A } from '../db/database.ts'",
    "import * as a from '../db/database.ts'",
    "import '../db/database.ts'",
    "import {\n  a,\n  type B,\n} from '../db/database.ts'",
    "const a = await import('../db/database.ts')",
  ])('%s', (text) => {
    expect(check({ 'src/music/midi.ts': text })).toEqual([
      'src/music/midi.ts → src/db/database.ts: music does not import db',
    ])
  })
})

describe('a query is begun', () => {
  const query = "const rows = await tx\n  .selectFrom('scores')\n  .execute()"
  const broken = (file: string, text = query) =>
    check({ [file]: text, 'src/features/scores/getScore.test.ts': '' }).map((line) => line.split(': ')[0])

  it.each([
    'src/features/scores/copies.ts',
    'src/features/scores/compose.ts',
    'src/features/scores/getScore.ts',
    'src/features/scores/delete-scores.job.ts',
    'src/oauth/sign-in.ts',
    'src/commands/backup.ts',
  ])('nowhere else, as in %s', (file) => {
    expect(broken(file)).toEqual([`${file} → ${file}`])
    for (const start of ['insertInto', 'updateTable', 'deleteFrom']) {
      expect(broken(file, `tx.${start}('scores')`)).toEqual([`${file} → ${file}`])
    }
  })

  it.each([
    'src/features/scores/store.ts',
    'src/features/scores/lists.ts',
    'src/features/scores/policy.ts',
    'src/features/scores/grants.ts',
    'src/features/scores/copies.test.ts',
    'src/db/migrations/001-blobs.ts',
  ])('in %s', (file) => {
    expect(broken(file)).toEqual([])
  })
})
