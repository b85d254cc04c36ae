import { hashToken } from '../../src/lib/tokens.ts'
import type { Person, TestApp } from '../support/app.ts'
import { type Client, type Reply, sessionClient } from '../support/client.ts'
import { signedIn } from '../support/sessions.ts'
import type { Mount } from '../../src/contract/routes.ts'
import { makeSchool } from '../support/school.ts'
import { newGroup } from '../support/sharing.ts'
import { storeScore } from '../support/stored-scores.ts'
import type { ScorePrivacy } from '../../src/contract/scores.ts'

/** The kinds of callers. All with an account, except the last four, belong to one school. */
export const callers = [
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
export type Caller = (typeof callers)[number]

export const colleagues: readonly Caller[] = [
  'teacher',
  'teacherOfAnotherClass',
  'student',
  'otherStudent',
  'admin',
]

/** The callers who are the only member of a group. */
const grouped = ['teacher', 'teacherOfAnotherClass', 'student'] as const satisfies readonly Caller[]
export type Grouped = (typeof grouped)[number]

/** Tess owns every object, except those of Otto (the outsider) and Vera. */
export interface World {
  app: TestApp
  school: string
  owner: Person
  outsider: Person
  /** A member of an organization that permits public scores. */
  openOwner: Person
  /** An individual account that calls no operation. All callers can see it. */
  visibleUser: Person
  as: Record<Exclude<Caller, 'anonymous'>, Person> & { anonymous: Client }
  /** Groups of the school with one member each. */
  groupOf: Readonly<Record<Grouped, string>>
  /** Creates a score of the owner or of another user and returns its id. */
  score(privacy: ScorePrivacy, of?: Person): Promise<string>
}

export const idIn = ({ body }: Reply): string => body.id

export async function makeWorld(app: TestApp): Promise<World> {
  const { id: school, tess, theo, tara, sam, sol, ada, abel, otto } = await makeSchool(app)
  const revoked = await app.withScopes(tess, 'scores')
  await app.ctx.transaction(async (tx) => {
    await tx.deleteFrom('access_tokens').where('hash', '=', hashToken(revoked.token)).execute()
  })
  const as = {
    anonymous: app.anonymous,
    owner: tess,
    teacher: theo,
    teacherOfAnotherClass: tara,
    student: sam,
    otherStudent: sol,
    admin: ada,
    adminOfAnotherSchool: abel,
    outsider: otto,
    // No operation accepts this scope alone.
    withoutTheScope: await app.withScopes(tess, 'notifications.readonly'),
    revoked,
  }
  const groups = grouped.map(async (caller) => [caller, await newGroup(app, school, caller, as[caller])])
  return {
    app,
    school,
    owner: tess,
    outsider: otto,
    openOwner: await app.person('vera', { organization: await app.organization('Conservatory', true) }),
    visibleUser: await app.person('ivy'),
    as,
    groupOf: Object.fromEntries(await Promise.all(groups)),
    score: (privacy, of = tess) => storeScore(app, of, privacy),
  }
}

/** The callers who can have a session. A session has all scopes. */
export const sessionCallers = callers.filter(
  (caller): caller is SessionCaller => caller !== 'anonymous' && caller !== 'withoutTheScope',
)
export type SessionCaller = Exclude<Caller, 'anonymous' | 'withoutTheScope'>

/** Signs every caller in and returns clients that use the sessions. The session of `revoked` has ended. */
export async function signInAll(
  { app, as }: World,
  mount?: Mount,
): Promise<Readonly<Record<SessionCaller, Client>>> {
  const clients = await Promise.all(
    sessionCallers.map(async (caller) => {
      const browser = await signedIn(app, as[caller])
      if (caller === 'revoked') {
        const hash = hashToken(browser.cookies.get('partita_session') ?? '')
        await app.ctx.transaction((tx) => tx.deleteFrom('sessions').where('hash', '=', hash).execute())
      }
      return [caller, sessionClient(browser, mount)] as const
    }),
  )
  return Object.fromEntries(clients) as Record<SessionCaller, Client>
}
