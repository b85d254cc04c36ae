import { insertTask } from '../../src/features/library/tasks/store.ts'
import { addViewsToDay } from '../../src/features/library/scores/recent-counts.store.ts'
import { insertExport } from '../../src/features/library/scores/export-cache.store.ts'
import { insertLease } from '../../src/features/library/scores/export-leases.store.ts'
import { preparePersonalToken } from '../../src/auth/tokens/personal-token.ts'
import { insertAccessToken } from '../../src/auth/tokens/store.ts'
import { insertApp, insertAppLogo } from '../../src/auth/oauth-server/apps/store.ts'
import { insertWebLink } from '../../src/features/teaching/assignments/web-links.store.ts'
import { saveDisplay, saveSimpleClass } from '../../src/features/teaching/simple-pages/store.ts'
import { replaceDemoClass } from '../../src/features/teaching/resources/store.ts'
import { saveInvitationUse } from '../../src/features/people/organizations/invitations.store.ts'
import { saveGrant } from '../../src/features/library/sharing/grants.store.ts'
import { createChallenge } from '../../src/auth/passkeys/challenges.store.ts'
import { insertPasskey } from '../../src/auth/passkeys/passkeys.store.ts'
import { createPendingSignIn } from '../../src/auth/sessions/pending-sign-ins.store.ts'
import { insertPasswordReset } from '../../src/auth/sessions/store.ts'
import { insertProviderAccount, insertProviderSignIn } from '../../src/auth/providers/store.ts'
import { emailKey } from '../../src/features/people/users/accounts.ts'
import { changeStoredBytes } from '../../src/features/people/storage/quota.ts'
import { insertPicture } from '../../src/features/people/users/pictures.store.ts'
import { updateUser } from '../../src/features/people/users/store.ts'
import type { Person, TestApp } from './app.ts'
import { newAssignment } from './assignments.ts'
import { storePin } from './class-pins.ts'
import { newSubGroup } from './classes.ts'
import { internalClient, type Reply } from './client.ts'
import { newComment } from './comments.ts'
import { allow, authorizationPath, newClient, tokensFor } from './oauth.ts'
import { signedIn } from './sessions.ts'
import { addProvider } from './openid-provider.ts'
import { newFolder, newResourceWithScore } from './resources.ts'
import { makeSchool } from './school.ts'
import { musicXml } from './scores.ts'
import { newSubmission, submissionsOf } from './submissions.ts'
import { newRecording } from './recordings.ts'
import { newTrack } from './tracks.ts'

/** A marker in every text that the departing users write. */
export const text = 'zqxtext'
/** A marker in every name and address of the departing users. */
export const name = 'zqxname'

/**
 * The users whose accounts are deleted: a teaching administrator, a student, and a user without an
 * organization.
 */
export interface DepartingUsers {
  readonly una: Person
  readonly sia: Person
  readonly ivo: Person
}

async function bodyOf(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await reply
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/**
 * Creates the departing users and fills every table with their personal data. If a table is empty afterwards,
 * this function lacks a case.
 */
export async function leaveTraces(app: TestApp): Promise<DepartingUsers> {
  const { ctx } = app
  const school = await makeSchool(app)
  const { id: organization, ada, tess, theo, sam, sol } = school
  const names = { firstname: `${name}first`, lastname: `${name}last` }
  const person = (user: string, rest: object) =>
    app.person(`${name}${user}`, { ...names, email: `${name}${user}@mail.example`, ...rest })
  const una = await person('una', { organization, role: 'admin' })
  const sia = await person('sia', { organization })
  const ivo = await person('ivo', {})
  await ctx.transaction((tx) => updateUser(tx, ivo.id, { email_verified: 1, external_id: name }))
  for (const { id } of [una, sia, ivo]) await ctx.transaction((tx) => updateUser(tx, id, { bio: text }))
  for (const { id: user_id } of [una, sia, ivo]) {
    const content = Buffer.from(text)
    const picture = {
      id: `picture ${user_id}`,
      user_id,
      kind: 'picture',
      content,
      created_at: ctx.clock.now(),
    } as const
    await ctx.transaction(async (tx) => {
      await insertPicture(tx, picture)
      await changeStoredBytes(tx, user_id, content.length)
    })
  }

  const scoreOf = async (of: Person, title: string, privacy = 'organizationPublic'): Promise<string> =>
    (await bodyOf(of.post('/scores', { title, privacy, data: musicXml({ title, composer: title }) }))).id

  async function scores() {
    const otherScore = await scoreOf(tess, 'Tess’s')
    for (const [index, user] of [una, sia, ivo].entries()) {
      const own = await scoreOf(user, `${text} own`)
      await bodyOf(user.put(`/scores/${own}`, { subtitle: text, description: text, composer: text }))
      if (user === ivo) continue
      await bodyOf(user.put(`/scores/${otherScore}/like`))
      await bodyOf(sam.post(`/scores/${own}/comments`, { comment: 'Well' }))
      await bodyOf(user.post(`/scores/${otherScore}/comments`, { comment: text }))
      const rawComment = `Ask @[${user.id}:${user.username}], or @[${sam.id}:${sam.username}]`
      await bodyOf(
        tess.post(`/scores/${otherScore}/comments`, { comment: `Ask @${user.username}`, rawComment }),
      )
      await newTrack(app, otherScore, {
        creator_id: user.id,
        title: text,
        url: `https://tracks.example/${text}${index}`,
      })
      await newRecording(app, otherScore, { creator_id: user.id, title: text }, Buffer.from(text))
      const collection = await bodyOf(user.post('/collections', { title: text }))
      await bodyOf(user.put(`/collections/${collection.id}/scores/${otherScore}`))
      await ctx.transaction(async (tx) => {
        const hour = Math.floor(ctx.clock.now() / 3_600_000)
        for (const table of ['score_views', 'score_plays'] as const) {
          await tx
            .insertInto(table)
            .values({ score_id: otherScore, viewer: `somebody ${index}`, hour })
            .execute()
        }
        await addViewsToDay(tx, { score_id: otherScore, day: Math.floor(hour / 24), views: 1, plays: 1 })
      })
    }
    // Changes to scores and collections of other users.
    await bodyOf(tess.post(`/scores/${otherScore}/collaborators`, { user: una.id, aclAdmin: true }))
    await bodyOf(una.post(`/scores/${otherScore}/collaborators`, { user: sol.id }))
    await bodyOf(
      una.post(`/scores/${otherScore}/revisions`, { data: musicXml({ title: text }), description: text }),
    )
    const thread = await newComment(app, otherScore, { user_id: tess.id })
    await bodyOf(una.put(`/scores/${otherScore}/comments/${thread}/resolved`))
    const shared = await bodyOf(tess.post('/collections', { title: 'Shared' }))
    await bodyOf(tess.post(`/collections/${shared.id}/collaborators`, { user: una.id, aclWrite: true }))
    await bodyOf(una.put(`/collections/${shared.id}/scores/${otherScore}`))
    // Pending grants to an address that the account got in another way.
    for (const user of [sia, ivo]) {
      const email = `${name}${user === sia ? 'sia' : 'ivo'}@mail.example`
      const grant = { id: ctx.newId(), level: 1, by: tess.id, now: ctx.clock.now() } as const
      const holder = { email, emailKey: emailKey(email) }
      await ctx.transaction((tx) => saveGrant(tx, { on: 'score', id: otherScore }, holder, grant))
    }
    return otherScore
  }

  async function classes() {
    const schoolClass = await bodyOf(
      una.post('/classes', { name: `${text} class`, section: text, description: text, theme: text }),
    )
    for (const user of [theo, sam, sia]) await bodyOf(una.put(`/classes/${schoolClass.id}/users/${user.id}`))
    const attached = await scoreOf(una, `${text} attached`)
    const description = `${text} description`
    const attachments = [{ type: 'flat', score: attached, sharingMode: 'copy' }]
    const assignment = await newAssignment(una, schoolClass, {
      title: text,
      description,
      attachments,
      maxPoints: 10,
    })
    const link = `https://www.youtube.com/watch?v=${text}`
    for (const user of [sam, sia]) {
      const work = await newSubmission(user, schoolClass, assignment)
      const at = `${submissionsOf(schoolClass, assignment)}/${work.id}`
      const attached = [{ type: 'link', url: user === sia ? link : 'https://sam.example/' }]
      await newSubmission(user, schoolClass, assignment, { attachments: attached })
      await newSubmission(user, schoolClass, assignment, { submit: true })
      await bodyOf(user.post(`${at}/comments`, { comment: user === sia ? text : 'Here' }))
      await bodyOf(una.get(`${at}/comments`))
      await bodyOf(una.post(`${at}/comments`, { comment: text }))
      await bodyOf(una.put(at, { grade: 8, return: true }))
      await bodyOf(user.get(`${at}/comments`))
    }
    await bodyOf(internalClient(await signedIn(app, una)).post('/saved-comments', { comment: text }))
    const mails = { frequency: 'weekly' }
    await internalClient(await signedIn(app, una)).put('/notifications/mails', mails)
    await storePin(app, schoolClass.id, sia)
    await ctx.transaction(async (tx) => {
      await saveDisplay(tx, sia.id, true)
      await saveSimpleClass(tx, schoolClass.id, { isSimple: true, now: ctx.clock.now() })
    })
    await internalClient(await signedIn(app, una)).post('/calendar-feed')
    const chosen = { assigneeMode: 'selected', assignedStudents: [sia.id], excusedStudents: [sia.id] }
    await newAssignment(theo, schoolClass, chosen)
    const group = await newSubGroup(una, schoolClass, 'Duo', sam, sia)
    const together = await newAssignment(una, schoolClass, {
      studentsMode: 'group',
      assigneeMode: 'selected',
      classGroupIds: [group],
    })
    const work = await newSubmission(sia, schoolClass, together)
    await bodyOf(sia.post(`${submissionsOf(schoolClass, together)}/${work.id}/comments`, { comment: text }))
    await ctx.transaction(async (tx) => {
      await insertWebLink(tx, {
        url: link,
        facts: JSON.stringify({ title: text }),
        created_at: ctx.clock.now(),
      })
      await replaceDemoClass(tx, { user_id: una.id, class_id: schoolClass.id })
    })
  }

  async function libraries() {
    for (const place of ['root', 'organization']) {
      await newFolder(una, `${text} folder`, place)
      await newResourceWithScore(una, await scoreOf(una, `${text} template`), place)
    }
  }

  /** Nothing answers at the addresses. */
  async function webhooks() {
    for (const user of [una, sia, ivo]) {
      const own = internalClient(await signedIn(app, user))
      const url = `https://hook.invalid/${text}`
      await bodyOf(own.post('/webhooks', { url, types: [], isOfOrganization: user === una }))
    }
    const own = internalClient(await signedIn(app, sia))
    const url = `https://hook.invalid/${text}`
    const { id } = await bodyOf(own.post('/webhooks', { url, types: [], isOfOrganization: false }))
    await bodyOf(own.post(`/webhooks/${id}/test`))
  }

  async function membership(score: string) {
    const removed = await app.person('pia', { organization })
    await bodyOf(una.delete(`/organizations/users/${removed.id}`))
    const invite = (by: Person, email: string) => bodyOf(by.post('/organizations/invitations', { email }))
    await invite(una, 'new@mail.example')
    const forSia = await invite(ada, `${name}elder@mail.example`)
    const key = { email: `${name}sia@mail.example`, email_key: `${name}sia@mail.example` }
    await ctx.transaction(async (tx) => {
      await tx.updateTable('invitations').set(key).where('id', '=', forSia.id).execute()
      await saveInvitationUse(tx, forSia.id, sia.id, ctx.clock.now())
    })
    for (const [by, of] of [
      [una, sam],
      [ada, sia],
    ] as const) {
      await bodyOf(by.post(`/organizations/users/${of.id}/accessToken`, { scopes: ['scores'] }))
      await bodyOf(by.post(`/organizations/users/${of.id}/signinLink`, {}))
      const { url } = await bodyOf(by.post(`/organizations/users/${of.id}/signinLink`, {}))
      await fetch(url, { method: 'POST', redirect: 'manual' })
    }
    // The stored response to another user's request that names a departing user.
    await bodyOf(tess.post(`/scores/${score}/collaborators`, { user: una.id, aclAdmin: true }))
    await bodyOf(tess.post(`/scores/${score}`, {}, { headers: { 'Idempotency-Key': 'one' } }))
    await bodyOf(una.post('/collections', { title: text }, { headers: { 'Idempotency-Key': text } }))
  }

  async function signIns() {
    const client = await newClient(app)
    let ways = 0
    const { name: provider } = await addProvider(app, {
      name: 'school',
      organization,
      issuer: 'https://sso.example',
    })
    for (const user of [una, sia, ivo]) {
      await tokensFor(app, user, client, { access_type: 'offline', scope: 'scores' })
      await allow(await signedIn(app, user), authorizationPath(client))
      const wrong = new URLSearchParams({ username: user.username, password: `${name}wrong` })
      await fetch(`${app.url}/auth/signin`, { method: 'POST', body: wrong })
      const { row } = preparePersonalToken(ctx, user.id, text, ['scores'])
      const now = ctx.clock.now()
      await ctx.transaction(async (tx) => {
        await insertAccessToken(tx, row)
        await createPendingSignIn(ctx, tx, user.id)
        await tx
          .insertInto('second_factors')
          .values({
            user_id: user.id,
            secret: new TextEncoder().encode(name),
            confirmed_at: now,
            last_step: 0,
          })
          .execute()
        await insertPasskey(tx, {
          id: ctx.newId(),
          user_id: user.id,
          credential_id: `credential ${user.id}`,
          public_key: new TextEncoder().encode(name),
          counter: 0,
          name: text,
          transports: '[]',
          is_synced: 0,
          created_at: now,
          last_used_at: null,
        })
        await createChallenge(ctx, tx, { purpose: 'proof', holder: `holder ${user.id}`, user: user.id })
        await tx
          .insertInto('recovery_codes')
          .values({ user_id: user.id, hash: `code ${user.id}` })
          .execute()
        await tx
          .insertInto('email_verifications')
          .values({
            user_id: user.id,
            email: `${name}new@mail.example`,
            hash: `mail ${user.id}`,
            expires_at: now + 1000,
          })
          .execute()
        const account = { provider, subject: `${name}${user.id}`, user_id: user.id, created_at: now }
        await insertProviderAccount(tx, account)
        await insertProviderSignIn(tx, {
          hash: `way ${++ways}`,
          provider,
          destination: '/',
          expires_at: now + 1000,
        })
        await insertPasswordReset(tx, { hash: `reset ${user.id}`, user_id: user.id, expires_at: now + 1000 })
        const payload = { user: user.id, language: 'en' }
        await ctx.jobs.enqueue(tx, { kind: 'send-email-verification', payload, runAt: now + 1000 })
        await ctx.jobs.enqueue(tx, {
          kind: 'send-password-reset',
          payload: { ...payload, isTrustedDevice: false },
          runAt: now + 1000,
        })
      })
    }
    for (const used of [true, false]) {
      const id = ctx.newId()
      const app_ = {
        id,
        name: `${text} app`,
        owner_id: ivo.id,
        secret_hash: null,
        created_at: ctx.clock.now(),
      }
      const uris = [`https://${text}.example/`]
      await ctx.transaction(async (tx) => {
        await insertApp(tx, app_, uris)
        await insertAppLogo(tx, {
          app_id: id,
          media_type: 'image/png',
          content: new TextEncoder().encode(text),
        })
      })
      const redirectUri = uris[0] ?? ''
      if (used)
        await allow(await signedIn(app, sam), authorizationPath({ id, secret: undefined, redirectUri }, pkce))
    }
  }

  async function tasks() {
    const blob = await ctx.blobs.prepare(new TextEncoder().encode(`${text} in a file of ${name}`))
    const { id: revision } = await ctx.db.read
      .selectFrom('score_revisions')
      .innerJoin('scores', 'scores.id', 'score_revisions.score_id')
      .where('scores.owner_id', '=', ivo.id)
      .select('score_revisions.id')
      .executeTakeFirstOrThrow()
    await ctx.transaction(async (tx) => {
      await ctx.blobs.insert(tx, blob)
      const id = ctx.newId()
      const payload = {
        user: ivo.id,
        task: id,
        title: text,
        filename: `${text}.xml`,
        privacy: 'private',
      } as const
      // The job is due tomorrow, so that it stays in its table.
      const runAt = ctx.clock.now() + 1000 * 24 * 60 * 60 * 1000
      await insertTask(tx, {
        id,
        user_id: ivo.id,
        job_id: await ctx.jobs.enqueue(tx, { kind: 'import-score', payload, runAt }),
        type: 'import',
        format: null,
        score_id: null,
        revision_id: null,
        sharing_key: null,
        source_bytes: 0,
        source_blob: blob.hash,
        result_hash: blob.hash,
        result_name: `${text}.wav`,
        result_media_type: 'audio/wav',
        created_at: ctx.clock.now(),
      })
      const created_at = ctx.clock.now()
      await insertExport(
        tx,
        {
          revision_id: revision,
          variant: 'wav',
          blob: blob.hash,
          pages: null,
          stored_bytes: blob.storedSize,
          created_at,
          used_at: created_at,
        },
        Number.MAX_SAFE_INTEGER,
      )
      const lease = { revision_id: revision, variant: 'pdf', lease: ctx.newId(), until: created_at }
      await insertLease(tx, { ...lease, now: created_at })
    })
  }

  const classScores = await scores()
  await classes()
  await libraries()
  await webhooks()
  await membership(classScores)
  await signIns()
  await tasks()
  return { una, sia, ivo }
}

/** The PKCE challenge that a public app sends. */
const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
