import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person, useApp } from '../../../../test/support/app.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import type { ResponseHeaders } from '../../../../test/support/http.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { newFolder, newResource, titlesIn } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import type { Actor } from '../../../actor.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { attachmentsOf } from '../assignments/attachments.ts'
import { insertNewAssignment } from '../assignments/new-assignment.ts'
import { replaceAttachments } from '../assignments/attachments.store.ts'
import { listEduResources } from './listEduResources.ts'
import { newResource as resourceRow } from './new-resource.ts'
import { insertResource, type ResourceLocation } from './store.ts'

describeApp('listEduResources', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const totals = (headers: ResponseHeaders) =>
    ['X-Total-Assignments-Count', 'X-Total-Folders-Count'].map((name) => Number(headers.get(name)))

  it('lists the direct contents of a library or folder, newest first', async () => {
    const { tess } = people
    const folder = await newFolder(tess, 'Folder')
    await newResource(tess, 'Inner', folder)
    await newResource(tess, 'Outer')
    expect(await titlesIn(tess, '')).toEqual(['Outer', 'Folder'])
    expect(await titlesIn(tess, `parent=${folder}`)).toEqual(['Inner'])
    expect(await titlesIn(tess, 'parent=myResources&sort=title')).toEqual(['Folder', 'Outer'])
    await tess.put(`/eduResources/${folder}`, { title: 'Older' })
    expect(await titlesIn(tess, 'sort=updateDate')).toEqual(['Older', 'Outer'])
    expect(await titlesIn(tess, 'sort=updateDate&direction=asc')).toEqual(['Outer', 'Older'])
  })

  it('returns 404 for names that are not a library', async () => {
    const { tess } = people
    const id = await newResource(tess)
    for (const name of ['constructor', '__proto__', 'toString']) {
      const replies = await Promise.all([
        tess.get(`/eduResources?parent=${name}`),
        tess.post('/eduResources', { type: 'folder', title: 'Folder', parent: name }),
        tess.post(`/eduResources/${id}/move`, { destination: name }),
        tess.post(`/eduResources/${id}/copy`, { destination: name }),
      ])
      expect(replies.map(({ body }) => body.code)).toEqual(replies.map(() => 'RESOURCE_NOT_FOUND'))
    }
    await tess.delete(`/eduResources/${id}`)
  })

  it('lists the whole library of the organization, or only resources outside its folders', async () => {
    const { theo, ada } = people
    const folder = await newFolder(theo, 'Shared', 'organization')
    await newResource(theo, 'Deep', await newFolder(theo, 'Inner', folder))
    await newResource(ada, 'Plain', 'organization')
    expect(await titlesIn(ada, 'parent=organization&sort=title')).toEqual([
      'Deep',
      'Inner',
      'Plain',
      'Shared',
    ])
    const direct = 'parent=organizationResources&withoutSubfoldersResources=true&sort=title'
    expect(await titlesIn(ada, direct)).toEqual(['Plain', 'Shared'])
    expect(totals((await ada.get('/eduResources?parent=organization&limit=1')).headers)).toEqual([2, 2])
    expect(totals((await ada.get(`/eduResources?${direct}&limit=1`)).headers)).toEqual([1, 1])
  })

  describe('filtered by any of several values', () => {
    let tara: Person

    beforeAll(async () => {
      tara = people.tara
      const make = async (title: string, type: string, subjects: string[], grades: string[]) => {
        const id = await newResource(tara, title, 'root', { resource: { type } })
        await tara.put(`/eduResources/${id}`, { subjects, grades })
      }
      await make('A', 'performance', ['choir', 'band'], ['1', '2'])
      await make('B', 'worksheet', ['band'], ['2', '12'])
      await make('C', 'none', ['other'], ['university'])
      const folder = await newFolder(tara, 'D')
      await tara.put(`/eduResources/${folder}`, { subjects: ['choir'], grades: ['1'] })
    })

    it.each([
      ['subjects=choir', ['A', 'D']],
      ['subjects=choir&subjects=other', ['A', 'C', 'D']],
      ['subjects=jazz-ensemble', []],
      ['grades=2', ['A', 'B']],
      ['grades=12&grades=university', ['B', 'C']],
      ['assignmentTypes=performance&assignmentTypes=none', ['A', 'C']],
      ['type=folder', ['D']],
      ['type=assignment&subjects=choir', ['A']],
      ['subjects=band&grades=12&assignmentTypes=worksheet', ['B']],
      ['subjects=band&grades=university', []],
    ])('%s', async (query, titles) => {
      const { headers, body } = await tara.get(`/eduResources?${query}&sort=title&limit=1`)
      expect(await titlesIn(tara, `${query}&sort=title`)).toEqual(titles)
      const folders = titles.filter((title) => title === 'D').length
      expect(totals(headers)).toEqual([titles.length - folders, folders])
      expect(body).toHaveLength(Math.min(1, titles.length))
    })

    it('pages forward and backward with the filter', async () => {
      const query = '/eduResources?sort=title&grades=1&grades=2&grades=12&limit=2'
      const first = await tara.get(query)
      const cursor = (link: string | null, rel: string) =>
        new URL(new RegExp(`<([^>]*)>; rel="${rel}"`).exec(link ?? '')?.[1] ?? '')
      const next = cursor(first.headers.get('link'), 'next')
      expect(next.searchParams.getAll('grades')).toEqual(['1', '2', '12'])
      const second = await tara.get(`/eduResources${next.search}`)
      const titles = (body: unknown) => (body as { title: string }[]).map(({ title }) => title)
      expect([titles(first.body), titles(second.body)]).toEqual([['A', 'B'], ['D']])
      const firstAgain = await tara.get(
        `/eduResources${cursor(second.headers.get('link'), 'previous').search}`,
      )
      expect(titles(firstAgain.body)).toEqual(['A', 'B'])
      expect((await tara.get('/eduResources?next=broken')).body.code).toBe('INVALID_CURSOR')
    })
  })

  it('shows and counts only the open resources in a colleague’s folder', async () => {
    const { tess, theo } = people
    const folder = await newFolder(tess, 'Mixed')
    const open = await newResource(tess, 'Open', folder)
    await newResource(tess, 'Closed', folder)
    for (const id of [folder, open]) await tess.put(`/eduResources/${id}`, { privacy: 'organizationPublic' })
    const { headers } = await theo.get(`/eduResources?parent=${folder}`)
    expect(await titlesIn(theo, `parent=${folder}`)).toEqual(['Open'])
    expect(totals(headers)).toEqual([1, 0])
  })

  it('returns 404 for an unknown folder and refuses an assignment', async () => {
    const { tess, abel } = people
    const folder = await newFolder(tess, 'Shared', 'organization')
    const missing = await abel.get(`/eduResources?parent=${folder}`)
    expect([missing.status, missing.body.param]).toEqual([404, 'parent'])
    const assignment = await tess.get(`/eduResources?parent=${await newResource(tess)}`)
    expect(assignment.body.code).toBe('NOT_A_FOLDER')
    expect(await titlesIn(abel, 'parent=organization')).toEqual([])
  })
})

describeEachDatabase('a library of 10,000 resources in ten nested folders', (databases) => {
  const app = useApp(databases)
  let vera: Person
  let organization: string
  const folders: string[] = []
  const actor = () => ({ id: vera.id, organization, organizationRole: 'teacher' }) as Actor

  /** Inserts an assignment into a folder. */
  async function insertLesson(tx: Transaction, place: ResourceLocation, title: string): Promise<string> {
    const { id } = await insertNewAssignment(app.ctx, tx, { title, creator: vera.id, class: null })
    const content = { type: 'assignment', title, assignment_id: id, assignment_type: 'none' } as const
    await insertResource(tx, resourceRow(app.ctx, vera.id, place, content))
    return id
  }

  beforeAll(async () => {
    organization = await app.organization()
    vera = await app.person('vera', { organization, role: 'teacher' })
    const { ctx } = app
    const score = (await vera.post('/scores', emptyPiano())).body.id
    const [attached] = await attachmentsOf(ctx.db.read, actor(), [{ score }])
    if (!attached) throw new Error('Nothing to attach')
    await ctx.transaction(async (tx) => {
      let place: ResourceLocation = {
        user_id: null,
        organization_id: organization,
        parent_id: null,
        place: organization,
      }
      for (let depth = 1; depth <= 10; depth++) {
        const folder = resourceRow(ctx, vera.id, place, { type: 'folder', title: `Level ${depth}` })
        await insertResource(tx, folder)
        folders.push(folder.id)
        place = { ...place, parent_id: folder.id, place: folder.id }
        const inFolder = place
        // Statements that are issued together reach PostgreSQL together.
        const lessons = await Promise.all(
          Array.from({ length: 999 }, (_, n) => insertLesson(tx, inFolder, `Level ${depth}, ${n}`)),
        )
        await Promise.all(lessons.slice(0, 100).map((id) => replaceAttachments(tx, id, [attached])))
      }
    })
  }, 120_000)

  it('needs as many queries for a list as a library of one resource', async () => {
    const list = (query: object) =>
      queriesOf(app.ctx.db.read, async (read) => {
        const ctx = { ...app.ctx, db: { ...app.ctx.db, read } }
        const request = { ctx, actor: actor(), query: { sort: 'title', direction: 'asc', ...query } }
        await listEduResources.handle(request as never)
      })
    const counts = await Promise.all([
      list({ parent: 'organization', limit: 2 }),
      list({ parent: 'organization', limit: 100 }),
      list({ parent: 'root', limit: 100 }),
      list({ parent: folders[0], limit: 100 }),
    ])
    // The own library is empty. The last request lists only assignments of a folder, and also loads the
    // folder itself.
    expect(counts).toEqual([6, 6, 2, 5])
    const { headers } = await vera.get('/eduResources?parent=organization&limit=100')
    expect(headers.get('X-Total-Assignments-Count')).toBe('9990')
    expect(headers.get('X-Total-Folders-Count')).toBe('10')
  })

  it('is moved and deleted completely', async () => {
    const moved = await vera.post(`/eduResources/${folders[0]}/move`, { destination: 'root' })
    expect([moved.status, moved.body.resource.resourcesCount]).toEqual([200, 1000])
    expect((await vera.get('/eduResources?parent=organization')).body).toEqual([])
    const copied = await vera.post(`/eduResources/${folders[0]}/copy`, { destination: 'root' })
    expect([copied.status, copied.body.code]).toEqual([409, 'TOO_MANY_RESOURCES'])
    expect((await vera.delete(`/eduResources/${folders[0]}`)).status).toBe(204)
    expect((await vera.get('/eduResources')).body).toEqual([])
  })
})
