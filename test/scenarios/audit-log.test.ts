import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limit } from '../support/organizations.ts'
import { type AuditedAction, auditedActions } from '../../src/contract/audited-actions.ts'
import { importRoster } from '../../src/features/people/roster/import.ts'
import { type Client, internalClient } from '../support/client.ts'
import { type Person, useApp } from '../support/app.ts'
import { type Browser, browserAt } from '../support/browser.ts'
import type { Reply } from '../support/client.ts'
import { newClass } from '../support/classes.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { readable, useMailServer } from '../support/mail-server.ts'
import {
  addProvider,
  signInWithProvider,
  type RunningProvider,
  startOpenIdProvider,
} from '../support/openid-provider.ts'
import { ask, newClient, tokensFor } from '../support/oauth.ts'
import { addPasskey, signInByPasskey, withPasskey } from '../support/passkeys.ts'
import { password, signedIn } from '../support/sessions.ts'
import { runCommand, runPartita } from '../support/program.ts'
import { makeSchool, type School } from '../support/school.ts'
import { afterPassword, storedFactorCode, withSecondFactor } from '../support/second-factors.ts'

const mailServer = useMailServer()

describeEachDatabase('the audit log', (databases) => {
  const app = useApp(databases, mailServer.settings({ signUp: 'true', host: 'localhost' }))
  let people: School
  let folder: string
  let environment: NodeJS.ProcessEnv
  let provider: RunningProvider

  beforeAll(async () => {
    people = await makeSchool(app)
    provider = await startOpenIdProvider(app, ['school'])
    await addProvider(app, { name: 'school', organization: people.id, issuer: provider.issuer })
    folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
    const { dataDir, databaseUrl = '' } = app.ctx.config
    environment = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
  })
  afterAll(async () => {
    await provider?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs a command. */
  async function run(...words: string[]): Promise<void> {
    const { code, stderr } = await runCommand(words, environment)
    expect([code, stderr]).toEqual([0, ''])
  }
  /** Runs `audit-log` in a process of its own, because it streams to standard output. Returns what it prints. */
  async function auditLog(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await runPartita(['audit-log', ...words], environment)
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }
  const bodyOf = async (reply: Promise<Reply>): Promise<Reply['body']> => {
    const { status, body } = await reply
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body
  }
  let count = 0
  /** Creates a new member of the school. */
  const member = (role: 'user' | 'teacher' | 'admin' = 'user', properties: object = {}): Promise<Person> =>
    app.person(`member${count++}`, { organization: people.id, role, ...properties })
  const usersOf = (person: Person, rest = '') => `/organizations/users/${person.id}${rest}`
  const account = async (person: Person) => internalClient(await signedIn(app, person))
  async function removed(): Promise<Person> {
    const person = await member()
    await bodyOf(people.ada.delete(usersOf(person)))
    return person
  }
  async function givePin() {
    const { id } = await newClass(app, people.id, { teachers: [people.tess], students: [await member()] })
    await limit(app, people.id, { allows_picture_sign_in: 1 })
    const at = `/classes/${id}/sign-in`
    const client = await account(people.tess)
    await bodyOf(client.post(`${at}/pins`, {}))
    return { client, at }
  }
  const invite = (): Promise<{ id: string; htmlUrl: string }> =>
    bodyOf(people.ada.post('/organizations/invitations', {}))
  async function newProvider(): Promise<string> {
    const name = `provider${count++}`
    const options = [
      '--organization',
      people.id,
      '--issuer',
      'https://school.example',
      '--label',
      'School account',
    ]
    await run('provider', 'add', name, ...options, '--client-id', 'x', '--client-secret', 'y')
    return name
  }
  async function byProvider(): Promise<Person> {
    const email = `pupil${count}@school.example`
    const person = await member('user', { email })
    provider.people.set(person.username, { email, email_verified: true })
    await signInWithProvider(provider, browserAt(app.url), 'school', person.username)
    return person
  }
  const press = async (browser: Browser, path: string) => browser.submit(await browser.open(path), path)

  const addWebhook = async (own: Client): Promise<string> => {
    const { body } = await own.post('/webhooks', {
      url: 'https://one.example/',
      types: [],
      isOfOrganization: false,
    })
    return body.id
  }

  /** For each event, the real action that writes it. */
  const acts: Record<AuditedAction, () => Promise<unknown>> = {
    'app.authorization-revoked': async () => {
      const [person, client] = [await member(), await newClient(app)]
      await tokensFor(app, person, client)
      await (await account(person)).delete(`/connected-apps/${client.id}`)
    },
    'app.authorized': async () => tokensFor(app, await member(), await newClient(app)),
    'app.deleted': async () => {
      const own = await account(await member())
      const { body } = await own.post('/apps', {
        name: 'App',
        redirectUris: ['https://a.example/'],
        isPublic: true,
      })
      await own.delete(`/apps/${body.id}`)
    },
    'app.registered': () => run('app', 'create', '--name', 'App', '--redirect-uri', 'https://app.example/'),
    'app.token-reused': async () => {
      const client = await newClient(app)
      const { refresh_token } = await tokensFor(app, await member(), client, { access_type: 'offline' })
      const refresh = () => ask(app, 'access_token', client, { grant_type: 'refresh_token', refresh_token })
      expect([(await refresh()).status, (await refresh()).status]).toEqual([200, 400])
    },
    'webhook.added': async () => addWebhook(await account(await member())),
    'webhook.changed': async () => {
      const own = await account(await member())
      await own.put(`/webhooks/${await addWebhook(own)}`, { isOn: false })
    },
    'webhook.deleted': async () => {
      const own = await account(await member())
      await own.delete(`/webhooks/${await addWebhook(own)}`)
    },
    'class.member-added': async () => {
      const { id } = await newClass(app, people.id, { teachers: [people.tess] })
      const { enrollmentCode } = await bodyOf(people.tess.get(`/classes/${id}`))
      await bodyOf((await member()).post(`/classes/enroll/${enrollmentCode}`))
    },
    'class.member-removed': async () => {
      const { id } = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
      await bodyOf(people.tess.delete(`/classes/${id}/users/${people.sam.id}`))
    },
    'class.owner-changed': async () => {
      const owner = await member('teacher')
      const { id } = await newClass(app, people.id, { teachers: [owner, people.theo] })
      await bodyOf(owner.delete(`/classes/${id}/users/me`))
    },
    'invitation.accepted': async () => {
      const browser = await signedIn(app, await app.person(`joiner${count++}`))
      await press(browser, new URL((await invite()).htmlUrl).pathname)
    },
    'invitation.created': invite,
    'invitation.removed': async () =>
      bodyOf(people.ada.delete(`/organizations/invitations/${(await invite()).id}`)),
    'organization.created': () => run('organization', 'create', '--name', 'Another'),
    'organization.updated': () => run('organization', 'update', people.id, '--max-seats', '1000'),
    'provider.added': newProvider,
    'provider.changed': async () => run('provider', 'update', await newProvider(), '--label', 'Another'),
    'provider.removed': async () => run('provider', 'remove', await newProvider()),
    'roster.imported': async () => {
      const path = join(folder, 'roster.csv')
      await writeFile(path, `username,firstname,lastname,role\nimported${count++},A,B,student\n`)
      const options = {
        organization: people.id,
        isDryRun: false,
        state: 'active',
        onProgress: () => {},
      } as const
      await importRoster(app.ctx, { path, ...options })
    },
    'user.access-token-created': async () => (await account(await member())).post('/tokens', token),
    'user.access-token-revoked': async () => {
      const own = await account(await member())
      await own.delete(`/tokens/${(await own.post('/tokens', token)).body.id}`)
    },
    'user.converted-to-individual': async () =>
      bodyOf(people.ada.delete(usersOf(await member(), '?convertToIndividual=true'))),
    'user.created': async () => {
      const browser = browserAt(app.url)
      const fields = { username: `new${count++}`, password }
      await browser.submit(await browser.open('/auth/signup'), '/auth/signup', fields)
    },
    'user.deleted': async () => run('user', 'erase', (await member()).username, '--yes'),
    'user.email-verified': async () => {
      const person = await member()
      await (await account(person)).put('/security/email', { email: 'shown@mail.example', password })
      await app.jobsDone()
      const letter = mailServer.mails.findLast((one) => one.includes('shown@mail.example'))
      const path = /\/auth\/email\/\w+/.exec(readable(letter))?.[0] ?? ''
      await press(await signedIn(app, person), path)
    },
    'user.linked-to-provider': byProvider,
    'user.exported': async () =>
      run('user', 'export', (await member()).username, join(folder, `${count}.zip`)),
    'user.passkey-added': async () => addPasskey(app, await signedIn(app, await member())),
    'user.passkey-refused': async () => {
      const passkey = await withPasskey(app, await member())
      for (let n = 0; n < 2; n++) await signInByPasskey(app, passkey, { counter: 1 })
    },
    'user.passkey-removed': async () => {
      const person = await member()
      await withPasskey(app, person)
      await run('user', 'reset-second-factor', '--user', person.username)
    },
    'user.password-changed': async () =>
      bodyOf(people.ada.put(usersOf(await member()), { password: 'another one' })),
    'user.password-reset-requested': async () => {
      const { username } = await member('user', { email: 'forgets@mail.example' })
      const browser = browserAt(app.url)
      await browser.submit(await browser.open('/auth/password'), '/auth/password', { username })
      await app.jobsDone()
    },
    'user.recovery-code-used': async () => {
      const person = await member()
      const { recoveryCodes } = await withSecondFactor(app, person)
      const { browser, page } = await afterPassword(app, person)
      await browser.submit(page, '/auth/second-step', { code: recoveryCodes[0] ?? '' })
    },
    'user.recovery-codes-made': async () => {
      const person = await member()
      const client = await account(person)
      const { code } = await withSecondFactor(app, person)
      await client.post('/security/recovery-codes', { password, code: code() })
    },
    'user.removed': removed,
    'user.restored': async () => run('user', 'restore', (await removed()).username),
    'user.role-changed': async () =>
      bodyOf(people.ada.put(usersOf(await member()), { organizationRole: 'teacher' })),
    'user.second-factor-added': async () => {
      const person = await member()
      const client = await account(person)
      await client.post('/security/second-factor', { password })
      const code = await storedFactorCode(app, person)
      await client.post('/security/second-factor/confirm', { code })
    },
    'user.second-factor-removed': async () => {
      const person = await member()
      await withSecondFactor(app, person)
      await run('user', 'reset-second-factor', '--user', person.username)
    },
    'user.pin-set': givePin,
    'user.pin-removed': async () => {
      const { client, at } = await givePin()
      await client.delete(at)
    },
    'user.sessions-ended': async () => {
      const person = await member()
      const client = await account(person)
      await signedIn(app, person)
      await client.post('/security/sessions/end-others')
    },
    'user.sign-in-failed': async () => signInAs(await member(), 'not the password'),
    'user.signed-in': async () => signInAs(await member(), password),
    'user.signed-in-by-link': async () => {
      const { url } = await bodyOf(people.ada.post(usersOf(await member(), '/signinLink'), {}))
      await browserAt(app.url).open(url, { method: 'POST', body: new URLSearchParams() })
    },
    'user.signed-in-by-provider': byProvider,
    'user.signed-out': async () => {
      const browser = await signedIn(app, await member())
      await browser.open('/auth/signout', { method: 'POST', body: new URLSearchParams() })
    },
    'user.signin-link-created': async () =>
      bodyOf(people.ada.post(usersOf(await member(), '/signinLink'), {})),
    'user.unlinked-from-providers': async () => run('provider', 'unlink', (await byProvider()).username),
    'user.updated': async () => bodyOf(people.ada.put(usersOf(await member()), { firstname: 'Other' })),
  }
  const token = { name: 'Token', scopes: ['scores'] }
  const signInAs = ({ username }: Person, password: string) =>
    fetch(`${app.url}/auth/signin`, { method: 'POST', body: new URLSearchParams({ username, password }) })

  const eventsAfter = (id: string) =>
    app.ctx.db.read.selectFrom('audit_events').selectAll().where('id', '>', id).orderBy('id').execute()

  it.each(auditedActions.map((action) => [action]))('logs %s when the action happens', async (action) => {
    const before = (await eventsAfter('')).at(-1)?.id ?? ''
    await acts[action]()
    const written = await eventsAfter(before)
    expect(written.map((event) => event.action)).toContain(action)
    // The details contain no password, token, address or name.
    const texts = written.map(({ details }) => details).join('\n')
    expect(texts).not.toMatch(/correct horse|not the password|another one|partita_|@mail|member\d/)
  })

  it('documents every action in docs/audit-log.md', async () => {
    const page = await readFile(new URL('../../docs/audit-log.md', import.meta.url), 'utf8')
    const table = page.slice(page.indexOf('| action |'))
    const explained = [...table.matchAll(/`(\w+\.[\w-]+)`/g)].map(([, action]) => action)
    expect(explained.sort()).toEqual([...auditedActions])
  })

  describe('failed sign-ins', () => {
    const failures = (subject: string | null) =>
      app.ctx.db.read
        .selectFrom('audit_events')
        .selectAll()
        .where('action', '=', 'user.sign-in-failed')
        .where('subject_id', subject === null ? 'is' : '=', subject)
        .execute()

    it('logs at most ten failures of an account in 15 minutes, regardless of their origin', async () => {
      const person = await member()
      const { recordFailedSignIn } = await import('../../src/auth/throttling/failed-sign-ins.ts')
      for (let i = 0; i < 15; i++)
        await app.ctx.transaction((tx) => recordFailedSignIn(app.ctx, tx, person.id))
      expect(await failures(person.id)).toHaveLength(10)
    })

    it('logs a failure with an unknown username without the name', async () => {
      await signInAs({ username: 'nobody.has.this' } as Person, 'typed')
      const [event] = await failures(null)
      expect(event).toMatchObject({ organization_id: null, actor_id: null, subject_id: null, details: '{}' })
    })
  })

  describe('on the command line', () => {
    it('prints the same events as a table, CSV, NDJSON and JSON, within the given period', async () => {
      const person = await member()
      await signInAs(person, password)
      const filter = ['--user', person.username, '--action', 'user.signed-in']
      const event = { action: 'user.signed-in', actor: { id: person.id, username: person.username } }
      expect(JSON.parse(await auditLog(...filter, '--json'))).toEqual({
        events: [expect.objectContaining(event)],
      })
      expect(JSON.parse(await auditLog(...filter, '--format', 'ndjson'))).toMatchObject(event)
      expect(await auditLog(...filter, '--format', 'csv')).toContain(
        `,user.signed-in,${person.username},${person.id},`,
      )
      expect(await auditLog(...filter)).toMatch(
        new RegExp(`user\\.signed-in +${person.username} → ${person.username}\n$`),
      )
      expect(await auditLog(...filter, '--until', '2020-01-01', '--json')).toBe('{"events":[]}\n')
    })

    it('includes the actions of individual accounts', async () => {
      const ivo = await app.person('ivo')
      await signInAs(ivo, password)
      const { events } = JSON.parse(
        await auditLog('--user', ivo.id, '--since', '2020-01-01T00:00Z', '--json'),
      )
      expect(events).toEqual([
        expect.objectContaining({ action: 'user.signed-in', subject: expect.anything() }),
      ])
      expect(events[0]).not.toHaveProperty('organization')
    })
  })
})
