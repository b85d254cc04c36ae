import { expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { countedBytes } from '../../../../test/support/stored-bytes.ts'

describeEachDatabase('getStorage', (databases) => {
  const app = useApp(databases, { accountStorage: '1GiB', organizationStorage: '0' })

  it('returns the use of the account, and that of the organization to an administrator', async () => {
    const { ada, sam } = await makeSchool(app)
    for (const person of [ada, sam]) await person.post('/scores', emptyPiano())
    const accountOf = async (person: Person) => ({ used: await countedBytes(app, person), allowed: 2 ** 30 })
    expect(await countedBytes(app, sam)).toBeGreaterThan(0)
    const ofSam = await internalClient(await signedIn(app, sam)).get('/storage')
    expect(ofSam.body).toEqual({ account: await accountOf(sam), organization: null })
    const ofAda = await internalClient(await signedIn(app, ada)).get('/storage')
    expect(ofAda.body).toEqual({
      account: await accountOf(ada),
      organization: { used: 2 * 2 ** 20, allowed: null },
    })
  })
})
