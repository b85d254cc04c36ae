import { afterEach, expect, it, vi } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { limit } from '../../../test/support/organizations.ts'
import { password } from '../../../test/support/sessions.ts'

describeEachDatabase('many password checks of one network', (databases) => {
  const app = useApp(databases, { trustProxy: '127.0.0.1', signUp: 'true' })
  afterEach(() => vi.restoreAllMocks())

  const invitationPath = async () => {
    const organization = await app.organization()
    await limit(app, organization, { allows_sign_up_by_code: 1 })
    const olga = await app.person('olga', { organization, role: 'accountAdmin' })
    const { body } = await olga.post('/organizations/invitations', {})
    return new URL(body.htmlUrl).pathname
  }

  it.each(['sign-in', 'sign-up', 'joining'] as const)('do not delay a %s from another one', async (kind) => {
    const username = `person-${kind}`
    if (kind === 'sign-in') await app.person(username)
    const paths = { 'sign-in': '/auth/signin', 'sign-up': '/auth/signup', joining: '' }
    const path = paths[kind] || (await invitationPath())

    const limiter = app.ctx.auth.passwordHashLimiter
    const [first, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // More tasks than there are slots. All but the first end with the test.
    const busy = Array.from({ length: 5 }, (_, n) =>
      limiter.run({ caller: '10.1.1.1' }, () => (n === 0 ? first : rest).promise),
    )
    const others = Array.from({ length: 3 }, (_, n) =>
      limiter.run({ caller: `other ${n}` }, () => first.promise),
    )
    const running = vi.spyOn(limiter, 'run')
    const answer = fetch(app.url + path, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ username, password, next: '/healthz' }),
      headers: { 'X-Forwarded-For': '10.1.1.2' },
    })
    await expect.poll(() => running.mock.calls.length).toBe(1)
    first.resolve()
    expect((await answer).status).toBe(303)
    rest.resolve()
    await Promise.all([...busy, ...others])
  })
})
