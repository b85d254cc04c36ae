import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newAccount } from '../../people/users/accounts.ts'
import { insertUser } from '../../people/users/store.ts'
import { acceptInvitations } from './collaborators.ts'
import { withoutOwner } from '../../../../test/support/sharing.ts'

describeApp('invitations by e-mail address', (app) => {
  let school: School
  let tess: Person
  let otto: Person
  let addresses = 0

  beforeAll(async () => {
    school = await makeSchool(app)
    ;({ tess, otto } = school)
  })

  const newScore = async (owner = tess): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(), privacy: 'private' })).body.id
  const invite = async (by: Person, score: string, userEmail: string, rights = {}) =>
    (await by.post(`/scores/${score}/collaborators`, { userEmail, ...rights })).body
  const statusFor = async (person: Person, score: string) => (await person.get(`/scores/${score}`)).status
  const rightsOf = async (person: Person, score: string) => (await person.get(`/scores/${score}`)).body.rights
  const newAddress = () => `person${++addresses}@school.example`
  const member = (email: string, organization: string | undefined = school.id) =>
    app.person(email.split('@')[0] as string, { email, organization })
  /** Marks the address as verified, as the link in the verification mail does. */
  const verify = ({ id }: Person) =>
    app.ctx.transaction(async (tx) => {
      await tx.updateTable('users').set({ email_verified: 1 }).where('id', '=', id).execute()
      await acceptInvitations(tx, { id })
    })

  it('stay pending while no account has the address', async () => {
    const id = await newScore()
    const email = newAddress()
    const invited = await invite(tess, id, ` ${email} `, { aclWrite: true })
    expect(invited).toMatchObject({ userEmail: email, invited: true, isCollaborator: false, aclWrite: true })
    expect(invited.user).toBeUndefined()
    const { userToken, ...listed } = invited
    expect(withoutOwner((await tess.get(`/scores/${id}`)).body.collaborators)).toEqual([listed])
  })

  it('become grants with the same id when an account with the address is created', async () => {
    const id = await newScore()
    const email = newAddress()
    const invited = await invite(tess, id, email.toUpperCase(), { aclWrite: true })
    const person = await member(email)
    expect(await rightsOf(person, id)).toMatchObject({
      aclWrite: true,
      aclAdmin: false,
      collaboratorType: 'user',
    })
    const [, collaborator, ...others] = (await tess.get(`/scores/${id}/collaborators`)).body
    expect(collaborator).toMatchObject({ id: invited.id, user: { id: person.id }, isCollaborator: true })
    expect([collaborator.invited, collaborator.userEmail, others]).toEqual([undefined, undefined, []])
  })

  it('become grants immediately if the address belongs to a member of the same organization', async () => {
    const email = newAddress()
    const person = await member(email)
    const id = await newScore()
    const added = await invite(tess, id, email)
    expect(added).toMatchObject({ user: { id: person.id }, isCollaborator: true })
    expect([added.invited, added.userEmail]).toEqual([undefined, undefined])
    expect(await statusFor(person, id)).toBe(200)
  })

  it('exist once for each address, regardless of upper and lower case', async () => {
    const id = await newScore()
    const email = newAddress()
    const first = await invite(tess, id, email)
    const answers = await Promise.all(
      [email, email.toUpperCase()].map((one) => invite(tess, id, one, { aclAdmin: true })),
    )
    for (const answer of answers) expect(answer).toMatchObject({ id: first.id, aclAdmin: true })
    expect((await tess.get(`/scores/${id}/collaborators`)).body).toHaveLength(2)
  })

  it('require a verified address outside the owner’s organization', async () => {
    const email = newAddress()
    const id = await newScore(otto)
    const olga = await app.person('olga', { email })
    expect(await invite(otto, id, email)).toMatchObject({ userEmail: email, invited: true })
    expect(await statusFor(olga, id)).toBe(404)
    await verify(olga)
    expect(await statusFor(olga, id)).toBe(200)
    const other = await newScore(otto)
    expect(await invite(otto, other, email)).toMatchObject({ user: { id: olga.id } })
  })

  it('do not reveal members of a closed organization to outsiders, and never become grants to them', async () => {
    const email = newAddress()
    const person = await member(email)
    await verify(person)
    const id = await newScore(otto)
    const [known, unknown] = [await invite(otto, id, email), await invite(otto, id, newAddress())]
    const shape = ({ id, date, userEmail, userToken, ...rest }: Record<string, string>) => rest
    expect(shape(known)).toEqual(shape(unknown))
    await verify(person)
    expect(await statusFor(person, id)).toBe(404)
  })

  it('do not reveal students of an open organization to outsiders, and never become grants to them', async () => {
    const email = newAddress()
    const organization = await app.organization('Conservatory', true)
    const student = await member(email, organization)
    const id = await newScore(otto)
    await verify(student)
    expect(await invite(otto, id, email)).toMatchObject({ userEmail: email, invited: true })
    await verify(student)
    expect(await statusFor(student, id)).toBe(404)
    const teacher = await app.person('thea', { organization, role: 'teacher' })
    expect(await invite(teacher, await newScore(teacher), email)).toMatchObject({ user: { id: student.id } })
  })

  it('keep the stronger of an existing grant and an accepted invitation', async () => {
    const email = newAddress()
    const [weaker, stronger] = [await newScore(otto), await newScore(otto)]
    const oona = await app.person('oona', { email })
    await otto.post(`/scores/${weaker}/collaborators`, { user: oona.id, aclWrite: true })
    await otto.post(`/scores/${stronger}/collaborators`, { user: oona.id })
    await invite(otto, weaker, email)
    await invite(otto, stronger, email, { aclAdmin: true })
    await verify(oona)
    expect(await rightsOf(oona, weaker)).toMatchObject({ aclWrite: true, aclAdmin: false })
    expect(await rightsOf(oona, stronger)).toMatchObject({ aclAdmin: true })
    for (const id of [weaker, stronger]) {
      const [, ...collaborators] = (await otto.get(`/scores/${id}/collaborators`)).body
      expect(collaborators.map(({ user }: { user: Person }) => user?.id)).toEqual([oona.id])
    }
  })

  it('are deleted when the user is added directly by the same address', async () => {
    const email = newAddress()
    const olaf = await app.person('olaf', { email })
    const id = await newScore(otto)
    await invite(otto, id, email, { aclAdmin: true })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ email_verified: 1 }).where('id', '=', olaf.id).execute(),
    )
    await invite(otto, id, email)
    expect((await otto.get(`/scores/${id}/collaborators`)).body).toHaveLength(2)
    await verify(olaf)
    expect(await rightsOf(olaf, id)).toMatchObject({ aclRead: true, aclAdmin: false })
  })

  it('stay pending if several users have the address', async () => {
    const email = newAddress()
    const siblings = await Promise.all(
      ['anna', 'bert'].map((name) => app.person(name, { email, organization: school.id })),
    )
    const id = await newScore()
    expect(await invite(tess, id, email)).toMatchObject({ invited: true })
    for (const one of siblings) expect(await statusFor(one, id)).toBe(404)
    const third = await app.person('carl', { email, organization: school.id })
    expect(await statusFor(third, id)).toBe(404)
  })

  it('to the owner’s own address are dropped when the address is verified', async () => {
    const email = newAddress()
    const owner = await app.person('owen', { email })
    const id = await newScore(owner)
    expect(await invite(owner, id, email)).toMatchObject({ invited: true })
    await verify(owner)
    expect((await owner.get(`/scores/${id}/collaborators`)).body).toHaveLength(1)
  })

  it('are accepted when the account is created simultaneously', async () => {
    for (const name of ['otis', 'ophelia', 'orla']) {
      const email = newAddress()
      const id = await newScore()
      const account = { username: name, password: 'correct horse', email, organization: school.id }
      const row = await newAccount(app.ctx, account)
      const opened = app.ctx.transaction(async (tx) => {
        await insertUser(tx, row)
        await acceptInvitations(tx, row)
      })
      await Promise.all([opened, invite(tess, id, email)])
      const [, ...collaborators] = (await tess.get(`/scores/${id}/collaborators`)).body
      expect(collaborators.map(({ user }: { user: Person }) => user?.id)).toEqual([row.id])
    }
  })
})
