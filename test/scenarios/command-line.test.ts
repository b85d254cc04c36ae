import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseLocation } from '../../src/platform/db/open-database.ts'
import {
  confirmSecret,
  insertSecondFactor,
  replaceRecoveryCodes,
} from '../../src/auth/second-factor/second-factors.store.ts'
import { newTotpSecret, totpCode } from '../../src/auth/second-factor/totp.ts'
import { clientSecretOf } from '../../src/auth/providers/client-secrets.store.ts'
import { minute } from '../../src/lib/durations.ts'
import { readKeyFile } from '../../src/platform/secrets/key-file.ts'
import { secretBox } from '../../src/platform/secrets/secret-box.ts'
import { browserAt } from '../support/browser.ts'
import { clientOf } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { runCommand, runPartita } from '../support/program.ts'
import { emptyPiano } from '../support/scores.ts'
import { incompressibleXml } from '../support/stored-bytes.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

describeEachDatabase('commands that run beside a server', (databases) => {
  let server: ServerProcess
  let environment: NodeJS.ProcessEnv
  let url: string
  let dataDir: string
  let location: DatabaseLocation

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
    location = await databases.location()
    server = await startServerProcess({ DATA_DIR: dataDir, DATABASE_URL: location.url ?? '' })
    ;({ url, environment } = server)
  })

  afterAll(async () => {
    await server.kill()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Runs a command with `--json` and returns the single object that it prints. */
  async function run(...words: string[]) {
    const { code, stdout, stderr } = await runCommand([...words, '--json'], environment)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  /** The keys of the running server. */
  const keys = () => ({ secrets: secretBox(() => readKeyFile(join(dataDir, 'secrets.key'))) })

  it('run as separate processes, with exit codes and nothing else on standard output', async () => {
    const created = await runPartita(['organization', 'create', '--name', 'Lycée', '--json'], environment)
    expect(created).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(created.stdout)).toEqual({ id: expect.any(String), name: 'Lycée' })
    const unknown = await runPartita(['token', 'create', '--user', 'missing', '--json'], environment)
    expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'partita: There is no such user.\n' })
    const misspelt = await runPartita(['user', 'crate'], environment)
    expect(misspelt).toMatchObject({ code: 1, stdout: '' })
    expect(misspelt.stderr).toContain("unknown command 'crate'")
  })

  it('creates an organization, members and tokens that the running server accepts', async () => {
    const school = await run('organization', 'create', '--name', 'École')
    expect(school).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'École' })
    expect(await run('organization', 'update', school.id, '--max-classes', '3')).toEqual({
      id: school.id,
      maxClasses: 3,
    })
    expect(await run('organization', 'update', school.id, '--allow-public-scores', 'true')).toEqual({
      id: school.id,
      allowPublicScores: true,
    })
    const names = ['--firstname', 'Tess', '--lastname', 'T.', '--email', 'tess@school.example']
    const member = ['--organization', school.id, '--role', 'teacher']
    const tess = await run(
      'user',
      'create',
      '--username',
      'tess',
      '--password',
      'secret1',
      ...names,
      ...member,
    )
    const { token } = await run('token', 'create', '--user', 'tess')
    const { body } = await clientOf(url, token).get('/me')
    expect(body).toMatchObject({
      id: tess.id,
      username: 'tess',
      firstname: 'Tess',
      organization: school.id,
      organizationRole: 'teacher',
      product: 'flatEdu',
      isEmailVerified: false,
    })
  })

  it('creates accounts for others, who choose their own password at the first sign-in', async () => {
    const create = (username: string, ...flags: string[]) =>
      run('user', 'create', '--username', username, '--password', 'secret one', ...flags)
    await create('owner')
    await create('other', '--temporary-password')
    const destinationOf = async (username: string) => {
      const body = new URLSearchParams({ username, password: 'secret one', next: '/healthz' })
      const reply = await fetch(`${url}/auth/signin`, { method: 'POST', redirect: 'manual', body })
      return reply.headers.get('location')
    }
    expect(await destinationOf('owner')).toBe(`${url}/healthz`)
    expect(await destinationOf('other')).toBe(`${url}/auth/own-password?next=%2Fhealthz`)
    await run('user', 'set-password', '--user', 'owner', '--password', 'secret one', '--temporary-password')
    expect(await destinationOf('owner')).toContain('/auth/own-password')
  })

  it('sets and shows the storage quotas of an account and an organization', async () => {
    const school = await run('organization', 'create', '--name', 'Music school')
    const member = ['--password', 'secret1', '--organization', school.id]
    const { id } = await run('user', 'create', '--username', 'nell', ...member)
    const shown = { id, username: 'nell', organization: school.id, role: 'user', rateLimit: 1_000_000_000 }
    const GiB = 1024 ** 3
    expect(await run('user', 'show', 'nell')).toEqual({ ...shown, storage: { used: 0, allowed: 2 * GiB } })
    expect(await run('user', 'update', 'nell', '--max-storage', '10KiB')).toEqual({ id, maxStorage: 10_240 })
    await run('organization', 'update', school.id, '--max-storage', 'unlimited')
    await run('organization', 'update', school.id, '--license-expires', '2031-07-31')

    const nell = clientOf(url, (await run('token', 'create', '--user', 'nell')).token)
    expect((await nell.post('/scores', emptyPiano())).status).toBe(200)
    const { storage } = await run('user', 'show', id)
    expect(storage).toEqual({ used: expect.any(Number), allowed: 10_240 })
    expect(storage.used).toBeGreaterThan(0)
    expect((await nell.post('/scores', { data: incompressibleXml(50_000) })).status).toBe(402)
    await run('user', 'update', 'nell', '--max-storage', 'default')
    expect((await nell.post('/scores', { data: incompressibleXml(50_000) })).status).toBe(200)
    expect(await run('organization', 'show', school.id)).toEqual({
      id: school.id,
      name: 'Music school',
      maxClasses: null,
      maxSeats: null,
      licenseExpires: '2031-07-31',
      members: 1,
      storage: { used: 1024 ** 2, allowed: null },
      requireSecondFactor: false,
      requirePasskey: false,
      requireProvider: false,
      maxSessionHours: null,
      maxTokenDays: null,
      minPasswordLength: null,
      teachersResetPasswords: true,
      allowPictureSignIn: false,
      invitationDays: null,
      allowSignUpByCode: false,
      allowPublicScores: false,
    })
    const readable = await runCommand(['organization', 'show', school.id], environment)
    expect(readable.stdout).toContain('It uses 1 MiB and has no storage quota.')
  })

  it('sets the end of the licence of an organization, which its members and the filters show', async () => {
    const school = await run('organization', 'create', '--name', 'Licensed')
    const update = (day: string) => run('organization', 'update', school.id, '--license-expires', day)
    const admin = ['--organization', school.id, '--role', 'admin']
    await run('user', 'create', '--username', 'lena', '--password', 'secret1', ...admin)
    const lena = clientOf(url, (await run('token', 'create', '--user', 'lena')).token)
    const listed = async (filter: string) =>
      (await lena.get(`/organizations/users?licenseExpirationDate=${filter}`)).body
    const license = { id: school.id, mode: 'site', source: 'order' }
    const expectLicense = async (expected: object, matching: string, other: string) => {
      expect(await listed(matching)).toMatchObject([{ license: { ...license, ...expected } }])
      expect(await listed(other)).toEqual([])
    }
    await expectLicense({ active: true }, 'active', 'notActive')
    await update('2001-07-31')
    const ended = { active: false, expirationDate: '2001-07-31T23:59:59.999Z' }
    await expectLicense(ended, 'notActive', 'active')
    await expectLicense(ended, '2001-07-31', '2001-08-01')
    await update('never')
    await expectLicense({ active: true }, 'active', 'notActive')
  })

  it('gives an account a rate limit of its own', async () => {
    const { id } = await run('user', 'create', '--username', 'nora', '--password', 'secret1')
    expect(await run('user', 'update', 'nora', '--rate-limit', '20000')).toEqual({ id, rateLimit: 20_000 })
    const nora = clientOf(url, (await run('token', 'create', '--user', 'nora')).token)
    const { headers } = await nora.get('/me')
    expect(['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))).toEqual([
      '20000',
      '19999',
    ])
    expect((await run('user', 'show', 'nora')).rateLimit).toBe(20_000)
    await run('user', 'update', 'nora', '--rate-limit', 'default')
    expect((await run('user', 'show', 'nora')).rateLimit).toBe(1_000_000_000)
  })

  it('adds, changes, shows and removes an identity provider without printing its secret', async () => {
    const school = await run('organization', 'create', '--name', 'Riverside')
    const options = ['--organization', school.id, '--label', 'Riverside account', '--client-id', 'partita']
    const issuer = 'https://sso.school.example'
    const rules = ['--domains', 'school.example, riverside.example', '--create', 'true', '--prompt', 'login']
    const secret = ['--client-secret', 'very secret']
    expect(
      await run('provider', 'add', 'riverside', '--issuer', issuer, ...options, ...secret, ...rules),
    ).toEqual({
      name: 'riverside',
      redirectUri: `${url}/auth/oidc/riverside/callback`,
      signIn: `${url}/auth/oidc/riverside`,
    })
    await run('provider', 'update', 'riverside', '--label', 'School', '--create', 'false', '--prompt', 'none')
    const { providers } = await run('provider', 'list')
    expect(providers).toEqual([
      expect.objectContaining({
        name: 'riverside',
        label: 'School',
        organization: school.id,
        issuer,
        domains: ['school.example', 'riverside.example'],
        createsAccounts: false,
        prompt: null,
      }),
    ])
    expect(JSON.stringify(providers)).not.toContain('very secret')
    expect(await (await fetch(`${url}/auth/signin`)).text()).toContain('Sign in with School')
    expect(await run('provider', 'remove', 'riverside')).toEqual({ name: 'riverside' })
    expect((await fetch(`${url}/auth/oidc/riverside`)).status).toBe(404)
  })

  it('adds, lists and removes a webhook, and encrypts its secret with a new key', async () => {
    const { id: school } = await run('organization', 'create', '--name', 'Hooked')
    const address = 'https://lms.example/hook'
    const types = 'submission.submitted,submission.returned'
    const added = await run('webhook', 'add', address, '--organization', school, '--types', types)
    expect([added.secret, added.types]).toEqual([expect.stringMatching(/^whsec_/), types.split(',')])
    const listed = async () =>
      (await run('webhook', 'list')).webhooks.filter((one: { id: string }) => one.id === added.id)
    const { secret: _shownOnce, ...shown } = added
    expect(await listed()).toEqual([{ organization: school, user: null, ...shown }])
    expect(await run('secrets', 'encrypt')).toEqual({ encrypted: 0 })
    expect(await run('secrets', 'rotate')).toEqual({ encrypted: 1 })
    for (const words of [
      ['add', address, '--organization', school, '--types', 'score.created'],
      ['add', 'http://127.0.0.1/', '--organization', school],
      ['add', address],
    ])
      expect((await runCommand(['webhook', ...words], environment)).code).toBe(1)
    await run('webhook', 'remove', added.id)
    expect(await listed()).toEqual([])
  })

  it('encrypts second factors and client secrets with a new key, also those in clear text', async () => {
    const { id: organization } = await run('organization', 'create', '--name', 'Sealed')
    const db = await databases.openAgain({ ...location, path: join(dataDir, 'partita.db') })
    const options = ['--organization', organization, '--issuer', 'https://id.school.example', '--label', 'ID']
    const client = ['--client-id', 'partita', '--client-secret', 'kept in the safe']
    const secrets = new Map<string, Uint8Array>()
    for (const name of ['vault', 'plain']) {
      await run('provider', 'add', name, ...options, ...client)
      const { id } = await run('user', 'create', '--username', `${name}-user`, '--password', 'secret1')
      const [secret, then] = [newTotpSecret(), Date.now() - 2 * minute]
      secrets.set(name, secret)
      await db.transaction(async (tx) => {
        await insertSecondFactor(keys(), tx, id, secret, then)
        await confirmSecret(keys(), tx, id, totpCode(secret, then), then)
        if (name === 'vault') return
        await tx.updateTable('second_factors').set({ secret }).where('user_id', '=', id).execute()
        const change = { client_secret: 'kept in the safe' }
        await tx.updateTable('sign_in_providers').set(change).where('name', '=', name).execute()
      })
    }
    const providers = () => db.read.selectFrom('sign_in_providers').selectAll().execute()
    const opened = async () => (await providers()).map((one) => clientSecretOf(keys(), one))
    expect(await opened()).toEqual(['kept in the safe', 'kept in the safe'])
    const stored = async () => {
      const factors = await db.read.selectFrom('second_factors').selectAll().execute()
      return Buffer.concat([
        ...factors.map(({ secret }) => secret),
        ...(await providers()).map(({ client_secret }) => Buffer.from(client_secret)),
      ])
    }
    const inClearText = async () => {
      const bytes = await stored()
      return [...secrets.values(), Buffer.from('kept in the safe')].map((one) =>
        bytes.includes(Buffer.from(one)),
      )
    }
    expect(await inClearText()).toEqual([false, true, true])

    expect(await run('secrets', 'rotate')).toEqual({ encrypted: 4 })
    expect(await run('secrets', 'encrypt')).toEqual({ encrypted: 0 })
    expect(await inClearText()).toEqual([false, false, false])
    expect(await opened()).toEqual(['kept in the safe', 'kept in the safe'])
    for (const [name, secret] of secrets) {
      const browser = browserAt(url)
      const form = await browser.open('/auth/signin')
      const step = await browser.submit(form, '/auth/signin', {
        username: `${name}-user`,
        password: 'secret1',
      })
      await browser.submit(step, '/auth/second-step', { code: totpCode(secret, Date.now()) })
      expect(await browser.signedInAs()).toBe(`${name}-user`)
    }

    const before = await stored()
    const otherKey = { ...environment, SECRETS_KEY: randomBytes(32).toString('base64') }
    const wrong = await runCommand(['secrets', 'encrypt'], otherKey)
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toMatch(/could not decrypt 4\. .* Put it back into SECRETS_KEY or DATA_DIR\/secrets/)
    expect(await stored()).toEqual(before)
    for (const name of secrets.keys()) await run('provider', 'remove', name)
  })

  it('sets what an organization requires of sign-ins', async () => {
    const school = await run('organization', 'create', '--name', 'Strict')
    const update = ['organization', 'update', school.id]
    const rules = { requireSecondFactor: true, maxSessionHours: 12, maxTokenDays: 90 }
    const flags = ['--require-second-factor', 'true', '--max-session-hours', '12', '--max-token-days', '90']
    expect(await run(...update, ...flags)).toEqual({ id: school.id, ...rules })
    expect(await run('organization', 'show', school.id)).toMatchObject({ ...rules, requireProvider: false })
    await run(...update, '--max-session-hours', 'unlimited')
    // The address of this server has no host name.
    const passkeys = await runCommand([...update, '--require-passkey', 'true'], environment)
    expect([passkeys.code, passkeys.stderr]).toEqual([1, expect.stringContaining('need a PUBLIC_URL')])
    const named = { ...environment, PUBLIC_URL: 'https://music.example' }
    expect((await runCommand([...update, '--require-passkey', 'true'], named)).code).toBe(0)
    expect((await run('organization', 'show', school.id)).requirePasskey).toBe(true)
    expect((await run('organization', 'show', school.id)).maxSessionHours).toBe(null)
  })

  it('requires sign-in through a provider only while the organization has one', async () => {
    const school = await run('organization', 'create', '--name', 'Federated')
    const member = ['--username', 'fay', '--password', 'secret1', '--organization', school.id]
    const { id: fay } = await run('user', 'create', ...member)
    const signIn = async () => {
      const body = new URLSearchParams({ username: 'fay', password: 'secret1' })
      return (await fetch(`${url}/auth/signin`, { method: 'POST', redirect: 'manual', body })).status
    }
    expect(await signIn()).toBe(303)
    const update = ['organization', 'update', school.id, '--require-provider']
    const without = await runCommand([...update, 'true'], environment)
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('needs a provider')])
    const provider = ['--organization', school.id, '--label', 'F', '--client-id', 'p', '--client-secret', 's']
    await run('provider', 'add', 'federated', '--issuer', 'https://sso.school.example', ...provider)
    await run(...update, 'true')
    const db = await databases.openAgain({ ...location, path: join(dataDir, 'partita.db') })
    expect(await db.read.selectFrom('sessions').select('hash').where('user_id', '=', fay).execute()).toEqual(
      [],
    )
    expect(await signIn()).toBe(403)
    const remove = await runCommand(['provider', 'remove', 'federated'], environment)
    expect([remove.code, remove.stderr]).toEqual([1, expect.stringContaining('needs a provider')])
    await run(...update, 'false')
    expect(await signIn()).toBe(303)
    await run('provider', 'remove', 'federated')
  })

  it('unlinks an account from an identity provider', async () => {
    await run('user', 'create', '--username', 'solomon', '--password', 'secret1')
    expect(await run('provider', 'unlink', 'solomon')).toEqual({ unlinked: 0 })
  })

  it('restores a removed account while the organization has a free seat', async () => {
    const school = await run('organization', 'create', '--name', 'Small school')
    const member = ['--password', 'secret1', '--organization', school.id]
    await run('user', 'create', '--username', 'agnes', ...member, '--role', 'admin')
    const { id } = await run('user', 'create', '--username', 'Sören', ...member)
    const agnes = clientOf(url, (await run('token', 'create', '--user', 'agnes')).token)
    expect((await agnes.delete(`/organizations/users/${id}`)).status).toBe(204)
    const unknown = await runCommand(['token', 'create', '--user', 'Sören'], environment)
    expect([unknown.code, unknown.stderr]).toEqual([1, 'partita: There is no such user.\n'])

    const limits = ['--max-seats', '1', '--retention-days', '7', '--allow-sign-up-by-code', 'true']
    const passwords = ['--teachers-reset-passwords', 'false']
    expect(await run('organization', 'update', school.id, ...limits, ...passwords)).toEqual({
      id: school.id,
      maxSeats: 1,
      retentionDays: 7,
      allowSignUpByCode: true,
      teachersResetPasswords: false,
    })
    for (const words of [
      ['restore', 'sören'],
      ['create', '--username', 'svea', ...member],
    ]) {
      const { code, stderr } = await runCommand(['user', ...words], environment)
      expect([code, stderr]).toEqual([1, expect.stringContaining('the maximum number of members')])
    }
    const lifted = await run('organization', 'update', school.id, '--max-seats', 'unlimited')
    expect(lifted).toEqual({ id: school.id, maxSeats: 'unlimited' })
    expect(await run('user', 'restore', 'sören')).toEqual({ id })
    const soeren = clientOf(url, (await run('token', 'create', '--user', id)).token)
    expect((await soeren.get('/me')).body.id).toBe(id)
    const signIns = await run('user', 'sessions', 'sören')
    expect([signIns.sessions, signIns.tokens.length]).toEqual([[], 1])
    expect(await run('user', 'sign-out', id)).toEqual({ id, sessions: 0, tokens: 1 })
    expect((await runCommand(['user', 'sessions', id], environment)).stdout).toBe(`${id} is not signed in.\n`)
    const again = await runCommand(['user', 'restore', id], environment)
    expect([again.code, again.stderr]).toEqual([1, 'partita: There is no such user.\n'])
  })

  it('gives a new account access to what its address was invited to', async () => {
    const { id: organization } = await run('organization', 'create', '--name', 'Academy')
    const person = (name: string, ...rest: string[]) =>
      run(
        'user',
        'create',
        '--username',
        name,
        '--password',
        'secret1',
        '--organization',
        organization,
        ...rest,
      )
    const clientFor = async (name: string) =>
      clientOf(url, (await run('token', 'create', '--user', name)).token)
    await person('thea', '--role', 'teacher')
    const thea = await clientFor('thea')
    const { id } = (await thea.post('/scores', emptyPiano())).body
    await thea.post(`/scores/${id}/collaborators`, { userEmail: 'sven@academy.example', aclWrite: true })
    await person('sven', '--email', 'Sven@academy.example')
    const { rights } = (await (await clientFor('sven')).get(`/scores/${id}`)).body
    expect(rights).toMatchObject({ aclWrite: true, aclAdmin: false, collaboratorType: 'user' })
  })

  it('creates a token with only the named scopes', async () => {
    await run('user', 'create', '--username', 'otto', '--password', 'secret1')
    const { token } = await run(
      'token',
      'create',
      '--user',
      'otto',
      '--scopes',
      'scores.readonly, tasks.readonly',
    )
    const otto = clientOf(url, token)
    expect((await otto.get('/scores/0123456789abcdef01234567')).status).toBe(404)
    expect((await otto.get('/me')).body.code).toBe('INSUFFICIENT_SCOPE')
  })

  it('lists the tokens of a user without their secrets, and revokes a token', async () => {
    await run('user', 'create', '--username', 'olga', '--password', 'secret1')
    const token = await run('token', 'create', '--user', 'olga', '--name', 'Kept')
    const ending = await run('token', 'create', '--user', 'olga', '--name', 'Ending', '--expires', '2')
    const { tokens } = await run('token', 'list', '--user', 'olga')
    expect(tokens).toMatchObject([
      { id: token.id, name: 'Kept' },
      { id: ending.id, name: 'Ending', expires: ending.expires },
    ])
    expect(tokens[0].expires).toBeUndefined()
    expect(Date.parse(tokens[1].expires) - Date.parse(tokens[1].created)).toBeCloseTo(
      2 * 24 * 60 * 60 * 1000,
      -4,
    )
    expect(JSON.stringify(tokens)).not.toContain(token.token)

    expect(await run('token', 'revoke', token.id)).toEqual({ id: token.id })
    expect((await clientOf(url, token.token).get('/me')).status).toBe(401)
    expect((await clientOf(url, ending.token).get('/me')).status).toBe(200)
    expect((await run('token', 'list', '--user', 'olga')).tokens).toHaveLength(1)
  })

  it('changes the password of an account', async () => {
    const { id } = await run('user', 'create', '--username', 'pia', '--password', 'secret1')
    const { token } = await run('token', 'create', '--user', 'pia')
    expect(await run('user', 'set-password', '--user', 'pia', '--password', 'secret2')).toEqual({ id })
    // The change also ends all sessions and tokens of the account.
    expect((await clientOf(url, token).get('/me')).status).toBe(401)
    expect(await run('user', 'set-password', '--user', id, '--password', 'secret3')).toEqual({ id })
  })

  it.each([
    ['secret1', 'Warning: the password must have 8 to 1000 characters.\n'],
    ['password1', expect.stringMatching(/^Warning: the password is one of the most common passwords.*\n$/)],
    ['correct horse', ''],
  ])('accepts the password %s, with a warning if users may not have it', async (password, warning) => {
    const { username } = await run(
      'user',
      'create',
      '--username',
      `weak-${password.length}`,
      '--password',
      password,
    )
    const words = ['user', 'set-password', '--user', username, '--password', password]
    expect(await runCommand(words, environment)).toMatchObject({ code: 0, stderr: warning })
  })

  it('removes the second factor of an account, and fails if there is none', async () => {
    const { id } = await run('user', 'create', '--username', 'rosa', '--password', 'secret1')
    const db = await databases.openAgain({ ...location, path: join(dataDir, 'partita.db') })
    await db.transaction(async (tx) => {
      const [secret, now] = [newTotpSecret(), Date.now()]
      await insertSecondFactor(keys(), tx, id, secret, now)
      await confirmSecret(keys(), tx, id, totpCode(secret, now), now)
      await replaceRecoveryCodes(tx, id)
    })
    const form = {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ username: 'rosa', password: 'secret1' }),
    }
    const leadsTo = async () =>
      (await fetch(`${url}/auth/signin`, form as RequestInit)).headers.get('location')
    expect(await leadsTo()).toContain('/auth/second-step')
    const reset = ['user', 'reset-second-factor', '--user', 'rosa']
    expect(await run(...reset)).toEqual({ id, removed: true, passkeys: 0 })
    expect(await leadsTo()).toBe(`${url}/`)
    expect(await run(...reset)).toEqual({ id, removed: false, passkeys: 0 })
    const events = db.read
      .selectFrom('audit_events')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', id)
    const others = ['user.created', 'user.signed-in']
    expect((await events.execute()).filter(({ action }) => !others.includes(action))).toEqual([
      { action: 'user.second-factor-removed', actor_id: null },
    ])
    expect(
      await db.read.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute(),
    ).toEqual([])
  })

  it('registers apps, and prints a secret only for confidential clients', async () => {
    const words = ['app', 'create', '--name', 'Notes', '--redirect-uri', 'https://notes.example/back']
    expect(await run(...words)).toEqual({ clientId: expect.any(String), clientSecret: expect.any(String) })
    expect(await run(...words, '--public')).toEqual({ clientId: expect.any(String) })
  })

  it.each([
    [['user', 'create', '--username', 'me', '--password', 'secret1'], 'username'],
    [['user', 'create', '--username', 'sol', '--password', 'short'], 'password'],
    [['user', 'create', '--username', 'sol', '--password', 'secret1', '--organization', 'x'], 'organization'],
    [['user', 'create', '--username', 'sol', '--password', 'secret1', '--role', 'admin'], '--organization'],
    [['user', 'create', '--username', '0123456789abcdef01234567', '--password', 'secret1'], 'username'],
    [['user', 'set-password', '--user', 'nobody', '--password', 'secret1'], 'user'],
    [['user', 'set-password', '--user', 'tess', '--password', 'short'], 'password'],
    [['user', 'reset-second-factor', '--user', 'nobody'], 'user'],
    [['user', 'show', 'nobody'], 'user'],
    [['user', 'update', 'nobody', '--max-storage', '1GiB'], 'user'],
    [['user', 'update', 'tess'], '--rate-limit'],
    [['user', 'update', 'tess', '--rate-limit', '0'], 'whole number'],
    [['user', 'update', 'tess', '--max-storage', '2GB'], '2GiB'],
    [['organization', 'show', 'x'], 'organization'],
    [['organization', 'update', 'x', '--max-session-hours', '0'], 'from 1'],
    [['organization', 'update', 'x', '--max-token-days', 'soon'], 'soon'],
    [['token', 'create', '--user', 'nobody'], 'user'],
    [['token', 'create', '--user', 'tess', '--expires', '0'], 'days'],
    [['token', 'list', '--user', 'nobody'], 'user'],
    [['token', 'revoke', 'x'], 'token'],
    [['token', 'create', '--user', 'tess', '--scopes', 'scores,everything'], 'everything'],
    [['organization', 'update', 'x', '--max-classes', '1'], 'organization'],
    [['organization', 'update', 'x', '--max-classes', 'few'], 'few'],
    [['organization', 'update', 'x', '--license-expires', '2031-13-01'], '2031-07-31'],
    [['organization', 'update', 'x', '--allow-public-scores', 'perhaps'], 'perhaps'],
    [['organization', 'update', 'x'], '--allow-public-scores'],
    [['app', 'create', '--name', 'n', '--redirect-uri', 'nowhere'], 'redirect-uri'],
  ])('describes the error in %j in one sentence', async (words, mentioned) => {
    const { code, stdout, stderr } = await runCommand([...words, '--json'], environment)
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(mentioned)
    expect(stderr).not.toContain('    at ')
  })

  it('refuses a username that differs from an existing one only in case or accents', async () => {
    await run('user', 'create', '--username', 'Zoë', '--password', 'secret1')
    const again = await runCommand(
      ['user', 'create', '--username', 'zoe', '--password', 'secret1'],
      environment,
    )
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('username')
  })

  it('prints the settings without the database password', async () => {
    const config = await runCommand(['config'], {
      ...environment,
      DATABASE_URL: 'postgres://ada:hunter2@db/scores',
    })
    expect(config.stdout).toContain(`DATA_DIR=${dataDir}`)
    expect(config.stdout).not.toContain('hunter2')
  })

  it('creates the demo school with working passwords and tokens', async () => {
    const demo = await run('demo')
    const teacher = demo.users.find(({ role }: { role: string }) => role === 'teacher')
    expect(demo.users).toHaveLength(4)
    const { body } = await clientOf(url, teacher.token).get('/collections/app/scores')
    expect(body).toHaveLength(4)
    const student = clientOf(url, demo.users.find(({ role }: { role: string }) => role === 'user').token)
    const [work] = (await student.get(`/classes/${demo.class}/assignments`)).body
    const submission = await student.put(`/classes/${demo.class}/assignments/${work.id}/submissions`, {})
    expect((await student.get(`/scores/${submission.body.attachments[0].score}`)).body.title).toContain(
      'Mill Wheel',
    )
    const browser = browserAt(url)
    const [{ username, password }] = demo.users
    const home = await browser.submit(await browser.open('/auth/signin'), '/auth/signin', {
      username,
      password,
    })
    expect([home.url, await browser.signedInAs()]).toEqual([`${url}/`, username])
    expect((await runCommand(['demo'], environment)).stderr).toContain('already')
  })

  it('creates nothing of the demo school if one of its usernames is taken', async () => {
    const { url: databaseUrl = '' } = await databases.location()
    const otherInstallation = { DATA_DIR: join(dataDir, 'elsewhere'), DATABASE_URL: databaseUrl }
    await runCommand(
      ['user', 'create', '--username', 'sol.student', '--password', 'secret1'],
      otherInstallation,
    )
    const { code, stderr } = await runCommand(['demo'], otherInstallation)
    expect(code).toBe(1)
    expect(stderr).toContain('already')
    expect((await runCommand(['token', 'list', '--user', 'ada.admin'], otherInstallation)).stderr).toContain(
      'no such user',
    )
  })

  it('stops the server gracefully on a signal', async () => {
    expect(await server.stop()).toBe(0)
  })
})
