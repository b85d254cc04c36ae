import { audit } from '../../src/features/people/audit/audit.ts'
import { updateUser } from '../../src/features/people/users/store.ts'
import { minute } from '../../src/lib/durations.ts'
import type { Person, TestApp } from './app.ts'
import { type Client, internalClient } from './client.ts'
import type { TestClock } from './clock.ts'
import { signedIn } from './sessions.ts'
import { makeSchool, type School } from './school.ts'

/** A school with an audit log. */
export interface AuditedSchool {
  readonly people: School
  /** The session of the administrator. */
  readonly ada: Client
  /** Records a change of an account. */
  recordChange(organization: string | null, account: Pick<Person, 'id'>): Promise<void>
  /** Creates a member about whom there is an event, and who now has another name in another organization. */
  memberRenamedElsewhere(): Promise<Person>
}

/** Creates a school, and events of four minutes: about sam, sol, a user of another organization, and one of none. */
export async function makeAuditedSchool(app: TestApp, clock: TestClock): Promise<AuditedSchool> {
  const people = await makeSchool(app)
  const { organization: another } = (await people.abel.get('/me')).body
  const recordChange: AuditedSchool['recordChange'] = (organization, { id: subject }) =>
    app.ctx.transaction((tx) =>
      audit(tx, app.ctx, { organization, actor: people.ada.id, action: 'user.updated', subject }),
    )
  for (const [organization, person] of [
    [people.id, people.sam],
    [people.id, people.sol],
    [another, people.abel],
    [null, people.otto],
  ] as const) {
    clock.forward(minute)
    await recordChange(organization, person)
  }
  return {
    people,
    ada: internalClient(await signedIn(app, people.ada)),
    recordChange,
    async memberRenamedElsewhere() {
      const una = await app.person('una', { organization: people.id })
      await recordChange(people.id, una)
      const path = `/organizations/users/${una.id}?convertToIndividual=true`
      if ((await people.ada.delete(path)).status !== 204) throw new Error('una was not converted')
      const renamed = { username: 'una.of.b', username_key: 'una.of.b' }
      await app.ctx.transaction((tx) =>
        updateUser(tx, una.id, { organization_id: another, organization_role: 'user', ...renamed }),
      )
      return una
    },
  }
}
