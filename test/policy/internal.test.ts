import { beforeAll, describe, expect, it } from 'vitest'
import { internalOperations } from '../../src/operations.ts'
import { useApp } from '../support/app.ts'
import { type Client, internalClient } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { password, signedIn } from '../support/sessions.ts'
import { missing } from './as-missing.ts'
import { makeWorld, type SessionCaller, sessionCallers, signInAll, type World } from './world.ts'

/** The callers that each operation of our own pages admits. No operation accepts a token. */
interface Row {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{}` is an id that nothing has. */
  path: string
  body?: unknown
  /** The status for a caller who is admitted. Statuses of 400 and above come from what the body says. */
  admitted: number
  /** The callers who are admitted. Default: all. */
  only?: readonly SessionCaller[]
  /** Whether the session of a sign-in link is admitted, too. */
  acceptsDelegated?: true
}

const administrators = ['admin', 'adminOfAnotherSchool'] as const
const staff = [...administrators, 'owner', 'teacher', 'teacherOfAnotherClass'] as const
const members = [...staff, 'student', 'otherStudent'] as const

const rows: { readonly [Id in keyof typeof internalOperations]: Row } = {
  getSignedInUser: { method: 'GET', path: '/me', admitted: 200, acceptsDelegated: true },
  getProfile: { method: 'GET', path: '/profile', admitted: 200 },
  changeProfile: { method: 'PUT', path: '/profile', body: { bio: 'Oboist' }, admitted: 200 },
  // The id is no kind of picture.
  setProfilePicture: {
    method: 'PUT',
    path: '/profile/pictures/{}',
    body: { image: 'AAAA' },
    admitted: 400,
  },
  removeProfilePicture: { method: 'DELETE', path: '/profile/pictures/{}', admitted: 400 },
  getStorage: { method: 'GET', path: '/storage', admitted: 200 },
  listHomeWork: { method: 'GET', path: '/home-work', admitted: 200, acceptsDelegated: true },
  exportDueDates: { method: 'GET', path: '/due-dates.ics', admitted: 200 },
  getCalendarFeed: { method: 'GET', path: '/calendar-feed', admitted: 200 },
  renewCalendarFeed: { method: 'POST', path: '/calendar-feed', admitted: 200, only: members },
  removeCalendarFeed: { method: 'DELETE', path: '/calendar-feed', admitted: 204 },
  listNotifications: { method: 'GET', path: '/notifications', admitted: 200 },
  markNotificationsRead: {
    method: 'POST',
    path: '/notifications/read',
    body: { id: missing },
    admitted: 204,
  },
  getNotificationMails: { method: 'GET', path: '/notifications/mails', admitted: 200 },
  changeNotificationMails: {
    method: 'PUT',
    path: '/notifications/mails',
    body: { frequency: 'weekly' },
    admitted: 204,
  },
  changeDisplay: {
    method: 'PUT',
    path: '/display',
    body: { simplePages: true },
    admitted: 204,
  },
  changeClassDisplay: {
    method: 'PUT',
    path: '/classes/{}/display',
    body: { simplePages: true },
    admitted: 404,
    only: staff,
  },
  getClassSignIn: { method: 'GET', path: '/classes/{}/sign-in', admitted: 404, only: staff },
  createClassPins: {
    method: 'POST',
    path: '/classes/{}/sign-in/pins',
    body: {},
    admitted: 404,
    only: staff,
  },
  removeClassSignIn: { method: 'DELETE', path: '/classes/{}/sign-in', admitted: 404, only: staff },
  listSavedComments: { method: 'GET', path: '/saved-comments', admitted: 200, only: staff },
  addSavedComment: {
    method: 'POST',
    path: '/saved-comments',
    body: { comment: 'Count the rests.' },
    admitted: 200,
    only: staff,
  },
  deleteSavedComment: { method: 'DELETE', path: '/saved-comments/{}', admitted: 404, only: staff },
  listPersonalTokens: { method: 'GET', path: '/tokens', admitted: 200 },
  createPersonalToken: {
    method: 'POST',
    path: '/tokens',
    body: { name: 'Backup', scopes: ['scores'] },
    admitted: 201,
  },
  revokePersonalToken: { method: 'DELETE', path: '/tokens/{}', admitted: 404 },
  listWebhooks: { method: 'GET', path: '/webhooks', admitted: 200 },
  addWebhook: {
    method: 'POST',
    path: '/webhooks',
    body: { url: 'https://one.example/', types: [], isOfOrganization: false },
    admitted: 201,
  },
  changeWebhook: { method: 'PUT', path: '/webhooks/{}', body: { isOn: false }, admitted: 404 },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{}', admitted: 404 },
  renewWebhookSecret: { method: 'POST', path: '/webhooks/{}/secret', admitted: 404 },
  testWebhook: { method: 'POST', path: '/webhooks/{}/test', admitted: 404 },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/{}/deliveries', admitted: 404 },
  sendWebhookAgain: { method: 'POST', path: '/webhooks/{}/deliveries/{}/send', admitted: 404 },
  listConnectedApps: { method: 'GET', path: '/connected-apps', admitted: 200 },
  disconnectApp: { method: 'DELETE', path: '/connected-apps/{}', admitted: 204 },
  listApps: { method: 'GET', path: '/apps', admitted: 200 },
  registerApp: {
    method: 'POST',
    path: '/apps',
    body: { name: 'Tuner', redirectUris: ['https://tuner.example/cb'], isPublic: true },
    admitted: 201,
  },
  deleteApp: { method: 'DELETE', path: '/apps/{}', admitted: 404 },
  getSecurity: { method: 'GET', path: '/security', admitted: 200 },
  changePassword: {
    method: 'PUT',
    path: '/security/password',
    body: { currentPassword: 'wrong', password: 'another one' },
    admitted: 403,
  },
  // This server sends no mails.
  changeEmail: {
    method: 'PUT',
    path: '/security/email',
    body: { email: 'a@example.com', password },
    admitted: 409,
  },
  endOtherSessions: { method: 'POST', path: '/security/sessions/end-others', admitted: 204 },
  startSecondFactor: { method: 'POST', path: '/security/second-factor', body: { password }, admitted: 201 },
  confirmSecondFactor: {
    method: 'POST',
    path: '/security/second-factor/confirm',
    body: { code: 'x' },
    admitted: 403,
  },
  removeSecondFactor: {
    method: 'POST',
    path: '/security/second-factor/remove',
    body: { code: 'x' },
    admitted: 409,
  },
  // The address of this server has no host name, so no browser allows passkeys there.
  startPasskey: { method: 'POST', path: '/security/passkeys/start', body: { password }, admitted: 409 },
  addPasskey: {
    method: 'POST',
    path: '/security/passkeys',
    body: {
      name: 'Phone',
      credential: { id: 'x', response: { clientDataJSON: 'x', attestationObject: 'x' } },
    },
    admitted: 409,
  },
  startPasskeyProof: { method: 'POST', path: '/security/passkeys/proof', admitted: 409 },
  renamePasskey: { method: 'PUT', path: '/security/passkeys/{}', body: { name: 'Phone' }, admitted: 404 },
  removePasskey: {
    method: 'POST',
    path: '/security/passkeys/{}/remove',
    body: { password },
    admitted: 404,
  },
  createRecoveryCodes: {
    method: 'POST',
    path: '/security/recovery-codes',
    body: { code: 'x' },
    admitted: 409,
  },
  getOrganizationSettings: { method: 'GET', path: '/organization', admitted: 200, only: administrators },
  getOrganizationSummary: {
    method: 'GET',
    path: '/organization/summary',
    admitted: 200,
    only: administrators,
  },
  listOrganizationClasses: {
    method: 'GET',
    path: '/organization/classes',
    admitted: 200,
    only: administrators,
  },
  previewRules: {
    method: 'POST',
    path: '/organization/rules/preview',
    body: { rules: { teachersResetPasswords: true } },
    admitted: 200,
    only: administrators,
  },
  changeRules: {
    method: 'PUT',
    path: '/organization/rules',
    body: { rules: { teachersResetPasswords: true }, password: 'wrong' },
    admitted: 403,
    only: administrators,
  },
  // The file has no column for usernames.
  previewRoster: {
    method: 'POST',
    path: '/organization/roster/preview',
    body: { files: [{ name: 'people.csv', content: 'eA==' }] },
    admitted: 200,
    only: administrators,
  },
  applyRoster: {
    method: 'POST',
    path: '/organization/roster',
    body: { files: [{ name: 'people.csv', content: 'eA==' }] },
    admitted: 400,
    only: administrators,
  },
  getMember: { method: 'GET', path: '/members/{}', admitted: 404, only: administrators },
  sendMemberPasswordReset: {
    method: 'POST',
    path: '/members/{}/password-reset',
    admitted: 404,
    only: administrators,
  },
  endMemberSignIn: {
    method: 'DELETE',
    path: '/members/{}/sign-ins/{}',
    admitted: 404,
    only: administrators,
  },
  listMemberSignIns: {
    method: 'GET',
    path: '/members/{}/sign-ins',
    admitted: 404,
    only: administrators,
  },
  endMemberSignIns: {
    method: 'POST',
    path: '/members/{}/sign-ins/end',
    admitted: 404,
    only: administrators,
  },
  listScoreAccess: { method: 'GET', path: '/scores/{}/access', admitted: 404, acceptsDelegated: true },
  searchScorePeople: { method: 'GET', path: '/scores/{}/people', admitted: 404, acceptsDelegated: true },
  listAuditLog: { method: 'GET', path: '/audit-log', admitted: 200, only: administrators },
  exportAuditLogAsCsv: { method: 'GET', path: '/audit-log.csv', admitted: 200, only: administrators },
}

describeEachDatabase('policy of our own pages', (databases) => {
  const app = useApp(databases, { role: 'api' })
  let world: World
  let bySession: Readonly<Record<SessionCaller, Client>>
  let byLink: Client

  beforeAll(async () => {
    world = await makeWorld(app)
    bySession = await signInAll(world, '/internal')
    const lena = await app.person('lena', { organization: world.school })
    const link = await world.as.admin.post(`/organizations/users/${lena.id}/signinLink`, {})
    const browser = await signedIn(app, world.visibleUser)
    await browser.open(link.body.url, { method: 'POST', body: new URLSearchParams() })
    byLink = internalClient(browser)
  })

  it('has a row for every operation', () => {
    const table = Object.entries(rows).map(([id, { method, path }]) => [id, method, path])
    const built = Object.values(internalOperations).map(({ id, method, path }) => [
      id,
      method,
      path.replaceAll(/\{\w+\}/g, '{}'),
    ])
    expect(table.sort()).toEqual(built.sort())
  })

  describe.each(Object.entries<Row>(rows))('%s', (_id, row) => {
    const { method, path, body, admitted: done, only, acceptsDelegated } = row
    const address = path.replaceAll('{}', missing)

    it.each(sessionCallers)('by the session of %s', async (caller) => {
      const isAdmitted = only?.includes(caller) ?? true
      const status = caller === 'revoked' ? 401 : isAdmitted ? done : 403
      expect((await bySession[caller].request(method, address, body)).status).toBe(status)
    })

    it('by a token, without credentials, or by a delegated session', async () => {
      const { owner } = world
      for (const Authorization of [`Bearer ${owner.token}`, '']) {
        const headers = { Authorization }
        const reply = await bySession.revoked.request(method, address, body, { headers })
        expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED'])
      }
      const delegated = await byLink.request(method, address, body)
      if (acceptsDelegated) return expect(delegated.status).toBe(done)
      expect([delegated.status, delegated.body.code]).toEqual([403, 'DELEGATED_SESSION'])
    })
  })
})
