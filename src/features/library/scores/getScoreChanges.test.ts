import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, startTestApp, useApp } from '../../../../test/support/app.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { type EventStream, openEvents, type ServerEvent } from '../../../../test/support/event-streams.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano, musicXml } from '../../../../test/support/scores.ts'
import { fromOwnPage } from '../../../../test/support/client.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { give, newGroup } from '../../../../test/support/sharing.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { streamLimits } from './change-feed.ts'

describeEachDatabase('getScoreChanges', (databases) => {
  const app = useApp(databases)
  let people: School

  const newScore = async (by: Person, privacy = 'private'): Promise<string> =>
    (await by.post('/scores', { ...emptyPiano(), privacy })).body.id
  const bearer = ({ token }: Person) => ({ Authorization: `Bearer ${token}` })
  const follow = (
    score: string,
    by?: Person,
    { query = 'follow=true', headers = {} } = {},
  ): Promise<EventStream> =>
    openEvents(`${app.url}/v2/scores/${score}/changes?${query}`, { ...(by && bearer(by)), ...headers })
  /** Reads until all of these have changed. */
  async function changes(stream: EventStream, ...expected: string[]): Promise<ServerEvent> {
    const seen = new Set<string>()
    for (;;) {
      const event = await stream.next()
      if (event?.type !== 'change') throw new Error(`Unexpected: ${JSON.stringify(event)}`)
      for (const change of event.data.changed) seen.add(change)
      if (expected.every((change) => seen.has(change))) {
        expect([...seen].sort()).toEqual(expected.sort())
        return event
      }
    }
  }
  const end = async (stream: EventStream): Promise<string> => {
    const event = await stream.next()
    expect(event?.type).toBe('end')
    expect(await stream.next()).toBeUndefined()
    return event?.data.reason
  }
  const opened = async (...inputs: Parameters<typeof follow>): Promise<EventStream> => {
    const stream = await follow(...inputs)
    expect(await stream.next()).toMatchObject({ type: 'change', data: { changed: [] } })
    return stream
  }

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it.concurrent('tells readers what others have changed', async () => {
    const { tess, theo } = people
    const score = await newScore(tess)
    await give(app, { on: 'score', id: score }, { user: theo.id }, 'read')
    const stream = await opened(score, theo)
    const { body } = await theo.post(`/scores/${score}/comments`, { comment: 'Slower here?' })
    await changes(stream, 'comments')
    await theo.put(`/scores/${score}/comments/${body.id}`, { comment: 'Faster here?' })
    await changes(stream, 'comments')
    await tess.put(`/scores/${score}/comments/${body.id}/resolved`)
    await changes(stream, 'comments')
    await tess.delete(`/scores/${score}/comments/${body.id}/resolved`)
    await changes(stream, 'comments')
    await tess.delete(`/scores/${score}/comments/${body.id}`)
    await changes(stream, 'comments')
    await give(app, { on: 'score', id: score }, { user: people.tara.id }, 'write')
    await changes(stream, 'sharing')
    const revision = await tess.post(`/scores/${score}/revisions`, { data: musicXml({ title: 'Second' }) })
    expect(revision.status).toBe(200)
    const event = await changes(stream, 'revision', 'details')
    expect(event.data.revision).toBe(revision.body.id)
    await stream.close()
  })

  it.concurrent('tells a client that was away what has happened meanwhile, in one event', async () => {
    const { tess } = people
    const score = await newScore(tess)
    const first = await (await follow(score, tess, { query: '' })).next()
    const known = { headers: { 'Last-Event-ID': first?.id ?? '' } }
    for (const comment of ['One', 'Two']) await tess.post(`/scores/${score}/comments`, { comment })
    const stream = await follow(score, tess, known)
    const event = await changes(stream, 'comments')
    await stream.close()
    const again = await follow(score, tess, {
      query: '',
      headers: { 'Last-Event-ID': event.id ?? '' },
    })
    expect([await again.next(), await again.next()]).toMatchObject([
      { id: event.id, data: { changed: [] } },
      undefined,
    ])
  })

  it.concurrent('tells visitors of new comments, and not with whom the score is shared', async () => {
    const { otto } = people
    const score = await newScore(otto, 'public')
    const stream = await opened(score)
    await give(app, { on: 'score', id: score }, { user: people.tess.id }, 'read')
    await otto.post(`/scores/${score}/comments`, { comment: 'Welcome' })
    await changes(stream, 'comments')
    await stream.close()
  })

  it.concurrent('ends when the access ends', async () => {
    const { tess, theo, tara, otto } = people
    const score = await newScore(tess)
    await give(app, { on: 'score', id: score }, { user: theo.id }, 'read')
    const direct = await opened(score, theo)
    await tess.delete(`/scores/${score}/collaborators/${theo.id}`)
    expect(await end(direct)).toBe('access')
    await tess.put(`/scores/${score}`, { privacy: 'organizationPublic' })
    const colleague = await opened(score, tara)
    await tess.put(`/scores/${score}`, { privacy: 'private' })
    expect(await end(colleague)).toBe('access')

    const linked = await newScore(otto, 'privateLink')
    const { sharingKey } = (await otto.get(`/scores/${linked}`)).body
    const visitor = await opened(linked, undefined, { query: `follow=true&sharingKey=${sharingKey}` })
    await otto.post(`/scores/${linked}/sharingKey`)
    expect(await end(visitor)).toBe('access')
  })

  it.concurrent('ends when the score is deleted or moved to the trash', async () => {
    const { tess, theo } = people
    for (const query of ['', '?now=true']) {
      const score = await newScore(tess)
      await give(app, { on: 'score', id: score }, { user: theo.id }, 'read')
      const streams = [await opened(score, tess), await opened(score, theo)]
      await tess.delete(`/scores/${score}${query}`)
      for (const stream of streams) expect(await end(stream)).toBe('deleted')
    }
    const trashed = await newScore(tess)
    await tess.delete(`/scores/${trashed}`)
    expect((await tess.get(`/scores/${trashed}/changes?follow=true`)).status).toBe(409)
  })

  it.concurrent('ends with the session, and with the membership that gave the access', async () => {
    const { tess, sam } = people
    const score = await newScore(tess)
    const group = await newGroup(app, people.id, 'Band', sam)
    await give(app, { on: 'score', id: score }, { group }, 'read')
    const browser = await signedIn(app, tess)
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const inSession = await opened(score, undefined, { headers: { ...fromOwnPage, Cookie } })
    const inGroup = await opened(score, sam)
    await app.ctx.transaction(async (tx) => {
      await tx.deleteFrom('sessions').where('user_id', '=', tess.id).execute()
      await tx.deleteFrom('group_members').where('group_id', '=', group).execute()
    })
    expect(await Promise.all([end(inSession), end(inGroup)])).toEqual(['session', 'access'])
  })

  it.concurrent('limits the streams of an account, and frees those that were closed', async ({ expect }) => {
    const otto = await app.person('streaming')
    const score = await newScore(otto)
    // The answer to HEAD has no body, so it must not leave a stream behind.
    for (let n = 0; n < streamLimits.account; n++)
      expect((await otto.request('HEAD', `/scores/${score}/changes?follow=true`)).status).toBe(200)
    const streams: EventStream[] = []
    for (let n = 0; n < streamLimits.account; n++) streams.push(await opened(score, otto))
    const refused = await otto.get(`/scores/${score}/changes?follow=true`)
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_STREAMS'])
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    const once = await follow(score, otto, { query: '' })
    expect(await once.next()).toMatchObject({ type: 'change' })
    await once.close()
    await Promise.all(streams.map((stream) => stream.close()))
    await expect
      .poll(async () => {
        const stream = await follow(score, otto)
        await stream.close()
        return stream.status
      })
      .toBe(200)
  })

  it.concurrent('ends at once when the server stops', async () => {
    const { app: other, stop } = await startTestApp(await databases.migrated())
    const vera = await other.person('vera')
    const { id } = (await vera.post('/scores', emptyPiano())).body
    const stream = await openEvents(`${other.url}/v2/scores/${id}/changes?follow=true`, bearer(vera))
    await stream.next()
    const stopped = stop()
    expect(await end(stream)).toBe('shutdown')
    await stopped
  })

  describe('on two servers', () => {
    it('tells what was changed at the other one, and goes on there after a reconnection', async () => {
      await onTwoServers(databases, async ({ app: one, other, vera, atOther }) => {
        const { id } = (await vera.post('/scores', emptyPiano())).body
        const at = (url: string, headers = {}) =>
          openEvents(`${url}/v2/scores/${id}/changes?follow=true`, { ...bearer(vera), ...headers })
        const stream = await at(one.url)
        await stream.next()
        await atOther.post(`/scores/${id}/comments`, { comment: 'From the other server' })
        const event = await changes(stream, 'comments')
        await stream.close()
        await vera.post(`/scores/${id}/comments`, { comment: 'While nobody listens' })
        const moved = await at(other.url, { 'Last-Event-ID': event.id })
        await changes(moved, 'comments')
        await moved.close()
      })
    })
  })
})
