import { beforeAll, describe, expect, it } from 'vitest'
import { hashToken } from '../../src/lib/tokens.ts'
import { operations } from '../../src/operations.ts'
import { type Person, type TestApp, useApp } from '../support/app.ts'
import type { Client, Reply } from '../support/client.ts'
import { newCollection } from '../support/collections.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { allowPublicScores } from '../support/organizations.ts'
import { makeSchool } from '../support/school.ts'
import { emptyPiano, musicXml } from '../support/scores.ts'

/**
 * Who may do what to whose: every operation that is built, by every kind of caller, on objects of every kind. What is
 * expected follows from three facts, and from nothing in src: who stands how to an object, what an operation needs, and
 * whether it may be called without a token.
 */

/** How a caller stands to an object. */
type Standing = 'owner' | 'reader' | 'none'

/** Tess owns everything, but for what Otto owns. */
const callers = [
  'anonymous',
  'owner',
  'teacher',
  'teacherOfAnotherClass',
  'student',
  'otherStudent',
  'admin',
  'adminOfAnotherSchool',
  'outsider',
  'withoutTheScope',
  'revoked',
] as const
type Caller = (typeof callers)[number]
const colleagues: readonly Caller[] = ['teacher', 'teacherOfAnotherClass', 'student', 'otherStudent', 'admin']

interface ObjectKind {
  /** Makes one, for one row of the table. */
  make(world: World): Promise<string>
  standing(caller: Caller, row: Row): Standing
  /** Goes behind the address. */
  query?(world: World, id: string): Promise<string>
}

const toOwner = (caller: Caller): Standing => (caller === 'owner' ? 'owner' : 'none')
const toColleagues = (caller: Caller): Standing => (colleagues.includes(caller) ? 'reader' : toOwner(caller))
const toEveryone = (caller: Caller): Standing => (caller === 'outsider' ? 'owner' : 'reader')

const scores = {
  'a private score': { make: (world) => world.score('private'), standing: toOwner },
  'a score for the organization': { make: (world) => world.score('organizationPublic'), standing: toColleagues },
  'a public score of an organization that allows none any more': {
    async make(world) {
      await allowPublicScores(world.app, world.school, true)
      const id = await world.score('public')
      await allowPublicScores(world.app, world.school, false)
      return id
    },
    standing: toColleagues,
  },
  'a public score of an open organization': {
    make: async ({ openOwner }) => idIn(await openOwner.post('/scores', { ...emptyPiano(), privacy: 'public' })),
    standing: () => 'reader',
  },
  'a score of an organization with a sharing key, without the key': {
    make: (world) => world.score('privateLink'),
    standing: toOwner,
  },
  'a score of an organization with a sharing key, by the key': {
    make: (world) => world.score('privateLink'),
    standing: (caller, { takesKey }) => (takesKey ? toColleagues(caller) : toOwner(caller)),
    query: async ({ owner }, id) => keyQuery(await owner.get(`/scores/${id}`)),
  },
  'a score of an individual account with a sharing key, by the key': {
    make: async ({ outsider }) => idIn(await outsider.post('/scores', { ...emptyPiano(), privacy: 'privateLink' })),
    standing: (caller, { takesKey }) => (takesKey || caller === 'outsider' ? toEveryone(caller) : 'none'),
    query: async ({ outsider }, id) => keyQuery(await outsider.get(`/scores/${id}`)),
  },
  'a public score of an individual account': {
    make: async ({ outsider }) => idIn(await outsider.post('/scores', { ...emptyPiano(), privacy: 'public' })),
    standing: toEveryone,
  },
  'a score in the trash': {
    async make(world) {
      const id = await world.score('organizationPublic')
      await world.owner.delete(`/scores/${id}`)
      return id
    },
    standing: toOwner,
  },
} as const satisfies Record<string, ObjectKind>

const users = {
  'a member of an organization': { make: async ({ owner }) => owner.id, standing: toColleagues },
  'an individual account': { make: async ({ outsider }) => outsider.id, standing: toEveryone },
} as const satisfies Record<string, ObjectKind>

const collections = {
  'a collection': { make: ({ app, owner }) => newCollection(app, owner, 'Mine'), standing: toOwner },
} as const satisfies Record<string, ObjectKind>

const tasks = {
  'a task': {
    async make(world) {
      const score = await world.score('organizationPublic')
      return idIn(await world.owner.post(`/scores/${score}/revisions/last/wav/task`))
    },
    standing: toOwner,
  },
} as const satisfies Record<string, ObjectKind>

/** What every caller has of one's own. */
const own = { 'what is one’s own': { make: async () => '', standing: () => 'owner' } } as const satisfies Record<
  string,
  ObjectKind
>

interface Row {
  objects: Readonly<Record<string, ObjectKind>>
  /** What a caller must be to the object. */
  needs: 'reader' | 'owner'
  anonymous?: true
  /** Takes `sharingKey`. */
  takesKey?: true
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  /** The status where the caller may; another one where the state of some object forbids it. */
  done: number
  but?: Partial<Record<string, number>>
}

const read = { objects: scores, needs: 'reader', anonymous: true, takesKey: true, method: 'GET', done: 200 } as const
const change = { objects: scores, needs: 'owner', done: 200, but: { 'a score in the trash': 409 } } as const

const rows: { readonly [Id in keyof typeof operations]: Row } = {
  getAuthenticatedUser: { objects: own, needs: 'owner', method: 'GET', path: '/me', done: 200 },
  getUser: { objects: users, needs: 'reader', anonymous: true, method: 'GET', path: '/users/{}', done: 200 },
  getUserScores: {
    objects: users,
    needs: 'reader',
    anonymous: true,
    method: 'GET',
    path: '/users/{}/scores',
    done: 200,
  },
  createScore: { objects: own, needs: 'owner', method: 'POST', path: '/scores', body: emptyPiano(), done: 200 },
  getScore: { ...read, path: '/scores/{}' },
  editScore: { ...change, method: 'PUT', path: '/scores/{}', body: { title: 'Changed' } },
  deleteScore: { ...change, method: 'DELETE', path: '/scores/{}', done: 204, but: {} },
  untrashScore: {
    ...change,
    method: 'POST',
    path: '/scores/{}/untrash',
    done: 409,
    but: { 'a score in the trash': 204 },
  },
  getScoreRevisions: { ...read, path: '/scores/{}/revisions' },
  getScoreRevision: { ...read, path: '/scores/{}/revisions/last' },
  createScoreRevision: { ...change, method: 'POST', path: '/scores/{}/revisions', body: { data: musicXml() } },
  getScoreRevisionData: { ...read, path: '/scores/{}/revisions/last/xml' },
  createExportTask: {
    objects: scores,
    needs: 'reader',
    takesKey: true,
    method: 'POST',
    path: '/scores/{}/revisions/last/wav/task',
    done: 200,
  },
  getTask: { objects: tasks, needs: 'owner', method: 'GET', path: '/tasks/{}', done: 200 },
  listCollections: { objects: own, needs: 'owner', method: 'GET', path: '/collections', done: 200 },
  getCollection: { objects: collections, needs: 'owner', method: 'GET', path: '/collections/{}', done: 200 },
  listCollectionScores: {
    objects: collections,
    needs: 'owner',
    method: 'GET',
    path: '/collections/{}/scores',
    done: 200,
  },
}

function expected(id: keyof typeof rows, objectName: string, caller: Caller): number {
  const row = rows[id]
  if (caller === 'revoked') return 401
  if (caller === 'withoutTheScope') return 403
  if (caller === 'anonymous' && !row.anonymous) return 401
  const standing = row.objects[objectName]?.standing(caller, row)
  if (standing === 'none') return 404
  if (standing === 'reader' && row.needs === 'owner') return 403
  return row.but?.[objectName] ?? row.done
}

interface World {
  app: TestApp
  school: string
  owner: Person
  outsider: Person
  /** A member of an organization that lets its members' scores be public. */
  openOwner: Person
  as: Record<Caller, Client>
  /** Makes a score of the owner's; its id. */
  score(privacy: string): Promise<string>
}

const idIn = ({ body }: Reply): string => body.id
const keyQuery = ({ body }: Reply): string => `?sharingKey=${body.sharingKey}`
const missing = '0123456789abcdef01234567'

describeEachDatabase('policy', (databases) => {
  // Without a worker: tasks are only asked for here.
  const app = useApp(databases, { role: 'api' })
  let world: World

  beforeAll(async () => {
    const { id: school, tess, theo, tara, sam, sol, ada, abel, otto } = await makeSchool(app)
    const revoked = await app.withScopes(tess, 'scores')
    await app.ctx.transaction(async (tx) => {
      await tx.deleteFrom('access_tokens').where('hash', '=', hashToken(revoked.token)).execute()
    })
    world = {
      app,
      school,
      owner: tess,
      outsider: otto,
      openOwner: await app.person('vera', { organization: await app.organization('Conservatory', true) }),
      as: {
        anonymous: app.stranger,
        owner: tess,
        teacher: theo,
        teacherOfAnotherClass: tara,
        student: sam,
        otherStudent: sol,
        admin: ada,
        adminOfAnotherSchool: abel,
        outsider: otto,
        // No operation is content with this one alone.
        withoutTheScope: await app.withScopes(tess, 'account.email'),
        revoked,
      },
      score: async (privacy) => idIn(await tess.post('/scores', { ...emptyPiano(), privacy })),
    }
  })

  it('has a row for every operation, with its method, its path and whether it takes a stranger', () => {
    const table = Object.entries(rows).map(([id, { method, path, anonymous = false }]) => [id, method, path, anonymous])
    const built = Object.values(operations).map(({ id, method, path, anonymous = false }) => [
      id,
      method,
      path
        .replace('{revision}', 'last')
        .replace('{format}', path.endsWith('/task') ? 'wav' : 'xml')
        .replace(/\{\w+\}/, '{}'),
      anonymous,
    ])
    expect(table.sort()).toEqual(built.sort())
  })

  for (const id of Object.keys(rows) as (keyof typeof rows)[]) {
    const { method, path, body, objects } = rows[id]
    describe(id, () => {
      it.each(Object.keys(objects))('%s', async (objectName) => {
        const { make, query } = objects[objectName] as ObjectKind
        const object = await make(world)
        const behind = (await query?.(world, object)) ?? ''
        const send = (caller: Caller, on: string) =>
          world.as[caller].request(method, path.replace('{}', on) + behind, body)

        const table: Record<string, number> = {}
        const found: Record<string, number> = {}
        // Who may change the object comes last, so that all others meet it as it was made.
        const inOrder = callers.toSorted((a, b) => Number(mayChange(a)) - Number(mayChange(b)))
        for (const caller of inOrder) {
          table[caller] = expected(id, objectName, caller)
          const reply = await send(caller, object)
          found[caller] = reply.status
          if (reply.status === 404) await expectAsForMissing(reply, await send(caller, missing), object)
        }
        expect(found).toEqual(table)

        function mayChange(caller: Caller): boolean {
          return (objects[objectName] as ObjectKind).standing(caller, rows[id]) === 'owner'
        }
      })
    })
  }

  /** Nothing but the ids tells an object that the caller may not know of from one that there is not. */
  async function expectAsForMissing(foreign: Reply, none: Reply, id: string): Promise<void> {
    expect(none.status).toBe(404)
    const text = ({ bytes }: Reply) => Buffer.from(bytes).toString().replaceAll(id, missing)
    expect(text(foreign)).toBe(text(none))
    const changing = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    const headers = (reply: Reply) => [...reply.headers].filter(([name]) => !changing.has(name))
    expect(headers(foreign)).toEqual(headers(none))
  }
})
