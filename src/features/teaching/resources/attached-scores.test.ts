import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newFolder, newResource, newResourceWithScore } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { updateUser } from '../../people/users/store.ts'

/** Checks the access to a score that is attached to a resource. */
describeApp('a score that is attached to a resource', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const newScore = async (person: Person): Promise<string> =>
    (await person.post('/scores', emptyPiano())).body.id
  const share = async (owner: Person, score: string, reader: Person, on = true) => {
    const path = `/scores/${score}/collaborators`
    if (on) return owner.post(path, { user: reader.id, aclRead: true })
    return owner.delete(`${path}/${reader.id}`)
  }
  const statusFor = async (score: string, ...readers: Person[]) =>
    Promise.all(readers.map(async (reader) => (await reader.get(`/scores/${score}`)).status))
  const open = (person: Person, id: string, privacy = 'organizationPublic') =>
    person.put(`/eduResources/${id}`, { privacy })

  it('is readable while the user who attached it can read it', async () => {
    const { tess, theo, tara } = people
    const score = await newScore(theo)
    expect((await share(theo, score, tess)).status).toBe(200)
    const { id } = await newResourceWithScore(tess, score)
    expect((await open(tess, id)).status).toBe(200)
    expect(await statusFor(score, tess, tara)).toEqual([200, 200])
    await share(theo, score, tess, false)
    expect(await statusFor(score, tess, tara)).toEqual([404, 404])
  })

  it('is not opened by a change of privacy or a move after that user has lost access', async () => {
    const { tess, theo, tara } = people
    const score = await newScore(theo)
    await share(theo, score, tess)
    const { id } = await newResourceWithScore(tess, score)
    await share(theo, score, tess, false)
    await open(tess, id)
    expect(await statusFor(score, tess, tara)).toEqual([404, 404])
    await tess.post(`/eduResources/${id}/move`, { destination: 'organization' })
    expect(await statusFor(score, tess, tara)).toEqual([404, 404])
    // Sending an existing attachment back does not attach it again.
    const attachments = [{ type: 'flat', score, sharingMode: 'copy' }]
    expect((await tess.put(`/eduResources/${id}/assignment`, { attachments })).status).toBe(200)
    expect(await statusFor(score, tess, tara)).toEqual([404, 404])
  })

  it('is readable when an administrator attached it to the resource of another user', async () => {
    const { tess, theo, ada } = people
    const id = await newResource(tess, 'Waltz', 'organization')
    const score = await newScore(ada)
    const attachments = [{ type: 'flat', score }]
    expect((await ada.put(`/eduResources/${id}/assignment`, { attachments })).status).toBe(200)
    expect(await statusFor(score, tess, theo)).toEqual([200, 200])
  })

  describe('gives no access to comments', () => {
    it('for members of other organizations, whose comments could not be moderated', async () => {
      const { abel } = people
      const vera = await app.person('vera', {
        organization: await app.organization('Open', true),
        role: 'teacher',
      })
      const { id, score } = await newResourceWithScore(vera, await newScore(vera))
      await open(vera, id, 'public')
      const own = await vera.post(`/scores/${score}/comments`, { comment: 'Mine' })
      expect(await statusFor(score, abel)).toEqual([200])
      const path = `/scores/${score}/comments`
      for (const reply of [
        await abel.get(path),
        await abel.post(path, { comment: 'Buy here' }),
        await abel.put(`${path}/${own.body.id}`, { comment: 'Changed' }),
      ]) {
        expect([reply.status, reply.body.code]).toEqual([403, 'SCORE_ACCESS_DENIED'])
      }
      // A user with other access to the score can comment.
      await vera.put(`/scores/${score}`, { privacy: 'public' })
      expect((await abel.get(path)).body).toHaveLength(1)
      expect((await abel.post(path, { comment: 'Fine' })).status).toBe(200)
    })
  })

  it('is not readable after the owner of the library leaves the organization or becomes a student', async () => {
    const { abel, tess } = people
    const organization = await app.organization('Open too', true)
    const admin = await app.person('aria', { organization, role: 'admin' })
    for (const leave of [
      (person: Person) => admin.delete(`/organizations/users/${person.id}?convertToIndividual=true`),
      (person: Person) => admin.put(`/organizations/users/${person.id}`, { organizationRole: 'user' }),
    ]) {
      const formerMember = await app.person(`leaver${app.ctx.newId()}`, { organization, role: 'teacher' })
      const { id, score } = await newResourceWithScore(formerMember, await newScore(formerMember))
      const folder = await newFolder(formerMember)
      for (const one of [id, folder]) await open(formerMember, one, 'public')
      expect(await statusFor(score, abel, tess)).toEqual([200, 200])
      expect([200, 204]).toContain((await leave(formerMember)).status)
      expect(await statusFor(score, abel, tess, admin)).toEqual([404, 404, 404])
      for (const one of [id, folder]) expect((await tess.get(`/eduResources/${one}`)).status).toBe(404)
      expect((await admin.get(`/eduResources/${id}`)).status).toBe(404)
    }
  })

  it('stays at the former organization when a user joins another one', async () => {
    const { abel, ada } = people
    const leaver = await app.person('leona', { organization: people.id, role: 'teacher' })
    const { id, score } = await newResourceWithScore(leaver, await newScore(leaver))
    await open(leaver, id)
    expect((await ada.delete(`/organizations/users/${leaver.id}?convertToIndividual=true`)).status).toBe(204)
    const { organization } = (await abel.get('/me')).body
    await app.ctx.transaction((tx) =>
      updateUser(tx, leaver.id, { organization_id: organization, organization_role: 'teacher' }),
    )
    expect((await leaver.get(`/eduResources/${id}`)).body.privacy).toBe('private')
    expect(await statusFor(score, abel)).toEqual([404])
  })

  describe('when its owner leaves the organization', () => {
    it('stays with the owner if a colleague attached it', async () => {
      const { tess, ada } = people
      const leaver = await app.person('lena', { organization: people.id, role: 'teacher' })
      const [attachedByColleague, another] = [await newScore(leaver), await newScore(leaver)]
      await share(leaver, attachedByColleague, tess)
      await newResourceWithScore(tess, attachedByColleague, 'organization')
      // A score in the trash is not passed on, even if its owner attached it.
      await newResourceWithScore(leaver, another, 'organization')
      await leaver.delete(`/scores/${another}`)
      await ada.delete(`/organizations/users/${leaver.id}?convertToIndividual=true`)
      expect((await leaver.get(`/scores/${attachedByColleague}`)).body.user?.id).toBe(leaver.id)
      expect((await leaver.post(`/scores/${another}/untrash`)).status).toBe(204)
      expect(await statusFor(attachedByColleague, tess, ada)).toEqual([404, 404])
    })

    it('is passed on with the library if the owner attached it, and stays readable', async () => {
      const { tess, ada } = people
      const leaver = await app.person('lars', { organization: people.id, role: 'teacher' })
      const { id, score } = await newResourceWithScore(leaver, await newScore(leaver), 'organization')
      await ada.delete(`/organizations/users/${leaver.id}?convertToIndividual=true`)
      expect((await tess.get(`/eduResources/${id}`)).body.creator).toBe(ada.id)
      expect((await tess.get(`/scores/${score}`)).body.user.id).toBe(ada.id)
      expect(await statusFor(score, leaver)).toEqual([404])
    })
  })
})
