import { hashToken } from '../../src/lib/tokens.ts'
import type { Person, TestApp } from '../support/app.ts'
import type { Client, Reply } from '../support/client.ts'
import { makeSchool } from '../support/school.ts'
import { emptyPiano } from '../support/scores.ts'

/** Who calls. All but the last four with an account are of one school. */
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

export const colleagues: readonly Caller[] = ['teacher', 'teacherOfAnotherClass', 'student', 'otherStudent', 'admin']

/** Tess owns everything, but for what Otto, the outsider, owns, or Vera. */
export interface World {
  app: TestApp
  school: string
  owner: Person
  outsider: Person
  /** A member of an organization that lets its members' scores be public. */
  openOwner: Person
  /** An individual account that calls nothing: all may know of it. */
  bystander: Person
  as: Record<Exclude<Caller, 'anonymous'>, Person> & { anonymous: Client }
  /** Makes a score of the owner's, or of somebody else's; its id. */
  score(privacy: string, of?: Person): Promise<string>
}

export const idIn = ({ body }: Reply): string => body.id

export async function makeWorld(app: TestApp): Promise<World> {
  const { id: school, tess, theo, tara, sam, sol, ada, abel, otto } = await makeSchool(app)
  const revoked = await app.withScopes(tess, 'scores')
  await app.ctx.transaction(async (tx) => {
    await tx.deleteFrom('access_tokens').where('hash', '=', hashToken(revoked.token)).execute()
  })
  return {
    app,
    school,
    owner: tess,
    outsider: otto,
    openOwner: await app.person('vera', { organization: await app.organization('Conservatory', true) }),
    bystander: await app.person('ivy'),
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
    score: async (privacy, of = tess) => idIn(await of.post('/scores', { ...emptyPiano(), privacy })),
  }
}
