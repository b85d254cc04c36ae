import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('createCollection', (app) => {
  let people: School
  let tess: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
  })

  it('creates an empty, private collection of the caller', async () => {
    const { status, body } = await tess.post('/collections', { title: 'Concert' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'Concert',
      type: 'regular',
      labelKey: 'collection',
      privacy: 'private',
      user: { id: tess.id },
      organization: people.id,
      rights: {
        aclRead: true,
        aclWrite: true,
        aclAdmin: true,
        isCollaborator: true,
        collaboratorType: 'owner',
      },
      collaborators: [{ collaboratorType: 'owner' }],
      contents: { scoresCount: 0 },
      capabilities: {
        canEdit: true,
        canShare: true,
        canDelete: true,
        canAddScores: true,
        canDeleteScores: true,
      },
    })
    expect(body.modificationDate).toBe(body.creationDate)
    expect((await tess.get(`/collections/${body.id}`)).body).toEqual(body)
    expect((await tess.get('/collections')).body).toContainEqual(body)
  })

  it('creates a playlist for an individual account', async () => {
    expect((await people.otto.post('/collections', { title: 'Sundays' })).body.labelKey).toBe('playlist')
  })

  it('allows several collections with the same title', async () => {
    const ids = [1, 2].map(async () => (await tess.post('/collections', { title: 'Twice' })).body.id)
    expect(new Set(await Promise.all(ids)).size).toBe(2)
  })

  it.each(['x', 'x'.repeat(300), '♩'.repeat(300), '  padded  '])(
    'accepts the title %j unchanged',
    async (title) => {
      expect((await tess.post('/collections', { title })).body.title).toBe(title)
    },
  )

  it.each<[string, unknown, string]>([
    ['no title', {}, 'title'],
    ['an empty title', { title: '' }, 'title'],
    ['a blank title', { title: ' \t\u00a0' }, 'title'],
    ['a title of 301 characters', { title: 'x'.repeat(301) }, 'title'],
    ['a title that is not a text', { title: 7 }, 'title'],
    ['a title of null', { title: null }, 'title'],
    ['a title with U+0000', { title: 'a\0b' }, 'title'],
    ['a title with U+202E', { title: 'a\u202Efdp.exe' }, 'title'],
    ['the privacy public', { title: 'Open', privacy: 'public' }, 'privacy'],
    ['the privacy privateLink', { title: 'Open', privacy: 'privateLink' }, 'privacy'],
  ])('refuses %s', async (_what, body, param) => {
    const refused = await tess.post('/collections', body)
    expect([refused.status, refused.body.code, refused.body.param]).toEqual([400, 'INVALID_PARAMETER', param])
  })

  it('accepts only the privacy `private`', async () => {
    expect((await tess.post('/collections', { title: 'Closed', privacy: 'private' })).status).toBe(200)
  })

  it('refuses tokens that may only read collections or add scores to them', async () => {
    const readOnly = await app.withScopes(tess, 'collections.readonly', 'collections.add_scores')
    const { status, body } = await readOnly.post('/collections', { title: 'No' })
    expect([status, body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })
})
