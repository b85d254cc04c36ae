import { expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { day } from '../../../lib/durations.ts'
import { withoutOwner } from '../../../../test/support/sharing.ts'

describeEachDatabase('purge-invitations', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { invitationDays: '7' }, { clock })

  const invite = (person: Person, path: string, userEmail: string) =>
    person.post(`${path}/collaborators`, { userEmail })
  const invited = async (person: Person, path: string) =>
    withoutOwner<{ userEmail?: string; user?: { id: string } }>(
      (await person.get(`${path}/collaborators`)).body,
    ).map(({ userEmail, user }) => userEmail ?? user?.id)

  it('deletes invitations to addresses after INVITATION_DAYS days, and keeps the grants of users', async () => {
    const [olga, otto] = [await app.person('olga'), await app.person('otto')]
    const score = `/scores/${(await olga.post('/scores', emptyPiano())).body.id}`
    const collection = `/collections/${(await olga.post('/collections', { title: 'Duos' })).body.id}`
    for (const path of [score, collection]) await invite(olga, path, 'late@example.com')
    await invite(olga, score, 'again@example.com')
    await olga.post(`${score}/collaborators`, { user: otto.id })
    clock.forward(4 * day)
    // A repeated invitation counts from the repetition.
    await invite(olga, score, 'again@example.com')
    clock.forward(4 * day)
    await app.jobsDone()
    expect([await invited(olga, score), await invited(olga, collection)]).toEqual([
      ['again@example.com', otto.id],
      [],
    ])
    const late = await app.person('late', { email: 'late@example.com' })
    expect((await late.get(score)).status).toBe(404)
    clock.forward(4 * day)
    await app.jobsDone()
    await app.jobsDone()
    expect(await invited(olga, score)).toEqual([otto.id])
    expect((await otto.get(score)).status).toBe(200)
  })
})
