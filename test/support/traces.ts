import { insertTask } from '../../src/features/tasks/store.ts'
import { preparePersonalToken } from '../../src/features/access-tokens/personal-token.ts'
import { insertAccessToken } from '../../src/features/access-tokens/store.ts'
import { insertApp, insertAppLogo } from '../../src/features/apps/store.ts'
import { insertWebLink } from '../../src/features/assignments/store.ts'
import { replaceDemoClass } from '../../src/features/edu-resources/store.ts'
import { saveInvitationUse } from '../../src/features/organizations/invitations.ts'
import { saveGrant } from '../../src/features/scores/grants.ts'
import { beginPendingSignIn } from '../../src/features/sessions/pending-sign-ins.ts'
import { insertPasswordReset } from '../../src/features/sessions/store.ts'
import { insertProviderAccount, insertProviderSignIn } from '../../src/features/sign-in-providers/store.ts'
import { emailKey } from '../../src/features/users/accounts.ts'
import { updateUser } from '../../src/features/users/store.ts'
import type { Person, TestApp } from './app.ts'
import { newAssignment } from './assignments.ts'
import { newSubGroup } from './classes.ts'
import type { Reply } from './client.ts'
import { newComment } from './comments.ts'
import { allow, authorizationPath, newClient, signedIn, tokensFor } from './oauth.ts'
import { addProvider } from './openid-provider.ts'
import { newFolder, newResourceWithScore } from './resources.ts'
import { makeSchool } from './school.ts'
import { musicXml } from './scores.ts'
import { newSubmission, submissionsOf } from './submissions.ts'
import { newTrack } from './tracks.ts'

/** Stands in every text that those write who go. */
export const text = 'zqxtext'
/** Stands in every name and address of theirs. */
export const name = 'zqxname'

/** Who goes: an administrator who teaches, a student, and somebody without an organization. */
export interface Going {
  readonly una: Person
  readonly sia: Person
  readonly ivo: Person
}

async function made(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await reply
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Lets these people leave a trace wherever anybody can. A table that is empty after this is one that was forgotten here. */
export async function leaveTraces(app: TestApp): Promise<Going> {
  const { ctx } = app
  const school = await makeSchool(app)
  const { id: organization, ada, tess, theo, sam, sol } = school
  const about = { firstname: `${name}first`, lastname: `${name}last` }
  const person = (who: string, rest: object) =>
    app.person(`${name}${who}`, { ...about, email: `${name}${who}@mail.example`, ...rest })
  const una = await person('una', { organization, role: 'admin' })
  const sia = await person('sia', { organization })
  const ivo = await person('ivo', {})
  await ctx.transaction((tx) => updateUser(tx, ivo.id, { email_verified: 1, external_id: name }))

  const scoreOf = async (of: Person, title: string, privacy = 'organizationPublic'): Promise<string> =>
    (await made(of.post('/scores', { title, privacy, data: musicXml({ title, composer: title }) }))).id

  async function scores() {
    const theirs = await scoreOf(tess, 'Tess’s')
    for (const [index, who] of [una, sia, ivo].entries()) {
      const own = await scoreOf(who, `${text} own`)
      await made(who.put(`/scores/${own}`, { subtitle: text, description: text, composer: text }))
      if (who === ivo) continue
      await made(who.put(`/scores/${theirs}/like`))
      await made(sam.post(`/scores/${own}/comments`, { comment: 'Well' }))
      await made(who.post(`/scores/${theirs}/comments`, { comment: text }))
      const rawComment = `Ask @[${who.id}:${who.username}], or @[${sam.id}:${sam.username}]`
      await made(tess.post(`/scores/${theirs}/comments`, { comment: `Ask @${who.username}`, rawComment }))
      await newTrack(app, theirs, { creator_id: who.id, title: text, url: `https://tracks.example/${text}${index}` })
      const collection = await made(who.post('/collections', { title: text }))
      await made(who.put(`/collections/${collection.id}/scores/${theirs}`))
      await ctx.transaction(async (tx) => {
        const hour = Math.floor(ctx.clock.now() / 3_600_000)
        for (const table of ['score_views', 'score_plays'] as const) {
          await tx
            .insertInto(table)
            .values({ score_id: theirs, viewer: `somebody ${index}`, hour })
            .execute()
        }
      })
    }
    // What is done with the scores and collections of others.
    await made(tess.post(`/scores/${theirs}/collaborators`, { user: una.id, aclAdmin: true }))
    await made(una.post(`/scores/${theirs}/collaborators`, { user: sol.id }))
    await made(una.post(`/scores/${theirs}/revisions`, { data: musicXml({ title: text }), description: text }))
    const thread = await newComment(app, theirs, { user_id: tess.id })
    await made(una.put(`/scores/${theirs}/comments/${thread}/resolved`))
    const shared = await made(tess.post('/collections', { title: 'Shared' }))
    await made(tess.post(`/collections/${shared.id}/collaborators`, { user: una.id, aclWrite: true }))
    await made(una.put(`/collections/${shared.id}/scores/${theirs}`))
    // What waits for an address that has become theirs in another way.
    for (const who of [sia, ivo]) {
      const email = `${name}${who === sia ? 'sia' : 'ivo'}@mail.example`
      const grant = { id: ctx.newId(), level: 1, by: tess.id, now: ctx.clock.now() } as const
      const holder = { email, emailKey: emailKey(email) }
      await ctx.transaction((tx) => saveGrant(tx, { on: 'score', id: theirs }, holder, grant))
    }
    return theirs
  }

  async function classes() {
    const klass = await made(una.post('/classes', { name: `${text} class`, section: text }))
    for (const who of [theo, sam, sia]) await made(una.put(`/classes/${klass.id}/users/${who.id}`))
    const attached = await scoreOf(una, `${text} attached`)
    const description = `${text} description`
    const attachments = [{ type: 'flat', score: attached, sharingMode: 'copy' }]
    const assignment = await newAssignment(una, klass, { title: text, description, attachments, maxPoints: 10 })
    const link = `https://www.youtube.com/watch?v=${text}`
    for (const who of [sam, sia]) {
      const work = await newSubmission(who, klass, assignment)
      const at = `${submissionsOf(klass, assignment)}/${work.id}`
      const attached = [{ type: 'link', url: who === sia ? link : 'https://sam.example/' }]
      await newSubmission(who, klass, assignment, { attachments: attached })
      await newSubmission(who, klass, assignment, { submit: true })
      await made(who.post(`${at}/comments`, { comment: who === sia ? text : 'Here' }))
      await made(una.get(`${at}/comments`))
      await made(una.post(`${at}/comments`, { comment: text }))
      await made(una.put(at, { grade: 8, return: true }))
      await made(who.get(`${at}/comments`))
    }
    const chosen = { assigneeMode: 'selected', assignedStudents: [sia.id] }
    await newAssignment(theo, klass, chosen)
    const group = await newSubGroup(una, klass, 'Duo', sam, sia)
    const together = await newAssignment(una, klass, {
      studentsMode: 'group',
      assigneeMode: 'selected',
      classGroupIds: [group],
    })
    const work = await newSubmission(sia, klass, together)
    await made(sia.post(`${submissionsOf(klass, together)}/${work.id}/comments`, { comment: text }))
    await ctx.transaction(async (tx) => {
      await insertWebLink(tx, { url: link, facts: JSON.stringify({ title: text }), created_at: ctx.clock.now() })
      await replaceDemoClass(tx, { user_id: una.id, class_id: klass.id })
    })
  }

  async function libraries() {
    for (const place of ['root', 'organization']) {
      await newFolder(una, `${text} folder`, place)
      await newResourceWithScore(una, await scoreOf(una, `${text} template`), place)
    }
  }

  async function membership(score: string) {
    const gone = await app.person('pia', { organization })
    await made(una.delete(`/organizations/users/${gone.id}`))
    const invite = (by: Person, email: string) => made(by.post('/organizations/invitations', { email }))
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
      await made(by.post(`/organizations/users/${of.id}/accessToken`, { scopes: ['scores'] }))
      await made(by.post(`/organizations/users/${of.id}/signinLink`, {}))
      const { url } = await made(by.post(`/organizations/users/${of.id}/signinLink`, {}))
      await fetch(url, { method: 'POST', redirect: 'manual' })
    }
    // What somebody else was answered who has named them.
    await made(
      tess.post(
        `/scores/${score}/collaborators`,
        { user: una.id, aclAdmin: true },
        { headers: { 'Idempotency-Key': 'one' } },
      ),
    )
    await made(una.post('/collections', { title: text }, { headers: { 'Idempotency-Key': text } }))
  }

  async function signIns() {
    const client = await newClient(app)
    let ways = 0
    const { name: provider } = await addProvider(app, { name: 'school', organization, issuer: 'https://sso.example' })
    for (const who of [una, sia, ivo]) {
      await tokensFor(app, who, client, { access_type: 'offline', scope: 'scores' })
      await allow(await signedIn(app, who), authorizationPath(client))
      const wrong = new URLSearchParams({ username: who.username, password: `${name}wrong` })
      await fetch(`${app.url}/auth/signin`, { method: 'POST', body: wrong })
      const { row } = preparePersonalToken(ctx, who.id, text, ['scores'])
      const now = ctx.clock.now()
      await ctx.transaction(async (tx) => {
        await insertAccessToken(tx, row)
        await beginPendingSignIn(ctx, tx, who.id)
        await tx
          .insertInto('second_factors')
          .values({ user_id: who.id, secret: new TextEncoder().encode(name), confirmed_at: now, last_step: 0 })
          .execute()
        await tx
          .insertInto('recovery_codes')
          .values({ user_id: who.id, hash: `code ${who.id}` })
          .execute()
        await tx
          .insertInto('email_verifications')
          .values({ user_id: who.id, email: `${name}new@mail.example`, hash: `mail ${who.id}`, expires_at: now + 1000 })
          .execute()
        const there = { provider, subject: `${name}${who.id}`, user_id: who.id, created_at: now }
        await insertProviderAccount(tx, there)
        await insertProviderSignIn(tx, { hash: `way ${++ways}`, provider, destination: '/', expires_at: now + 1000 })
        await insertPasswordReset(tx, { hash: `reset ${who.id}`, user_id: who.id, expires_at: now + 1000 })
        const payload = { user: who.id, language: 'en' }
        await ctx.jobs.enqueue(tx, { kind: 'send-email-verification', payload, runAt: now + 1000 })
        await ctx.jobs.enqueue(tx, { kind: 'send-password-reset', payload, runAt: now + 1000 })
      })
    }
    for (const used of [true, false]) {
      const id = ctx.newId()
      const app_ = { id, name: `${text} app`, owner_id: ivo.id, secret_hash: null, created_at: ctx.clock.now() }
      const uris = [`https://${text}.example/`]
      await ctx.transaction(async (tx) => {
        await insertApp(tx, app_, uris)
        await insertAppLogo(tx, { app_id: id, media_type: 'image/png', content: new TextEncoder().encode(text) })
      })
      const redirectUri = uris[0] ?? ''
      if (used) await allow(await signedIn(app, sam), authorizationPath({ id, secret: undefined, redirectUri }, pkce))
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
      const payload = { task: id, title: text, filename: `${text}.xml`, privacy: 'private' } as const
      // It waits, so that it is there.
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
        source_blob: blob.hash,
        result_blob: blob.hash,
        result_name: `${text}.wav`,
        result_media_type: 'audio/wav',
        created_at: ctx.clock.now(),
      })
      const created_at = ctx.clock.now()
      await tx
        .insertInto('score_exports')
        .values({ revision_id: revision, variant: 'wav', blob: blob.hash, created_at })
        .execute()
    })
  }

  const theirs = await scores()
  await classes()
  await libraries()
  await membership(theirs)
  await signIns()
  await tasks()
  return { una, sia, ivo }
}

/** A public app brings a challenge along. */
const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
