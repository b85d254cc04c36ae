import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Failure, fail } from '../errors.ts'
import { registerApp } from '../features/apps/registration.ts'
import { type App, deleteApp, findAppLogo, insertApp, insertAppLogo, listAppsOf } from '../features/apps/store.ts'
import { Html, html } from '../http/html.ts'
import { checkIsSignedIn } from '../http/session.ts'
import type { Context } from '../operation.ts'
import type { TextKey, Texts } from '../texts/texts.ts'
import { goTo, ownRoute, sendOwnPage, type Visit, wrongNotice } from './pages.ts'

const mostApps = 50
const mostLogoBytes = 100 * 1024
const limits = { fileSize: mostLogoBytes, files: 1, fields: 10, fieldSize: 50_000, parts: 11 }

/** What is wrong with the field that a registration was refused for. */
const wrongFields: Readonly<Record<string, TextKey>> = { name: 'apps.badName', 'redirect-uri': 'apps.badUris' }

interface Given {
  name: string
  redirectUris: string
  isPublic: boolean
  logo: Uint8Array | undefined
}

/** The apps that somebody has registered, and their logos. */
export function ownApps(scope: FastifyInstance, ctx: Context): void {
  // The one form with a file in it.
  scope.register(async (withFiles) => {
    withFiles.register(multipart, { limits })
    ownRoute<undefined>(withFiles, ctx, 'POST', '/account/apps', register)
  })

  ownRoute(scope, ctx, 'GET', '/account/apps', (visit) => sendApps(visit))

  ownRoute(scope, ctx, 'POST', '/account/apps/:id/delete', async ({ reply, visitor }, id) => {
    if (await ctx.transaction((tx) => deleteApp(tx, { id, owner: visitor.user.id }))) ctx.actors.forget()
    return goTo(reply, ctx, '/account/apps')
  })

  scope.get<{ Params: { id: string } }>('/auth/apps/:id/logo', async ({ params }, reply) => {
    const logo = await findAppLogo(ctx.db.read, params.id)
    if (!logo) fail('NOT_FOUND')
    return reply
      .type(logo.media_type)
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cache-Control', 'private, max-age=300')
      .send(Buffer.from(logo.content))
  })

  async function register(visit: Visit<undefined>): Promise<FastifyReply> {
    const { reply, texts, visitor } = visit
    const given = await readRegistration(visit)
    const refuse = (wrong: TextKey) => sendApps({ ...visit, reply: reply.status(400) }, given, texts.text(wrong))
    const mediaType = given.logo && pictureTypeOf(given.logo)
    if (given.logo && !mediaType) return refuse('apps.badLogo')
    const redirectUris = given.redirectUris.split('\n').flatMap((line) => line.trim() || [])
    let registered: ReturnType<typeof registerApp>
    try {
      registered = registerApp(ctx, { ...given, redirectUris, owner: visitor.user.id })
    } catch (error) {
      const wrong = error instanceof Failure && error.param ? wrongFields[error.param] : undefined
      if (!wrong) throw error
      return refuse(wrong)
    }
    const { app, secret } = registered
    const hasRoom = await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, visitor)
      if ((await listAppsOf(tx, visitor.user.id)).length >= mostApps) return false
      await insertApp(tx, app, redirectUris)
      if (given.logo && mediaType) {
        await insertAppLogo(tx, { app_id: app.id, media_type: mediaType, content: given.logo })
      }
      return true
    })
    return hasRoom ? sendRegistered(visit, app, secret) : refuse('apps.tooMany')
  }

  async function sendApps({ reply, texts, visitor }: Visit, given?: Given, wrong?: string): Promise<FastifyReply> {
    const { text } = texts
    const apps = await listAppsOf(ctx.db.read, visitor.user.id)
    return sendOwnPage(reply, texts, visitor, {
      title: text('apps.title'),
      main: html`${wrongNotice(wrong)}
<p>${text('apps.what')} <a href="/docs">/docs</a></p>
${apps.length === 0 ? html`<p>${text('apps.none')}</p>` : html`${apps.map((app) => appSection(texts, app))}<p class="hint">${text('apps.deleteEnds')}</p>`}
<h2>${text('apps.new')}</h2>
${registrationForm(texts, given)}`,
    })
  }
}

function sendRegistered(
  { reply, texts, visitor }: Visit,
  app: { id: string; name: string },
  secret: string | undefined,
): FastifyReply {
  const { text } = texts
  return sendOwnPage(reply, texts, visitor, {
    title: text('apps.registered', { app: app.name }),
    main: html`<p>${text('apps.clientId')}</p><p class="secret">${app.id}</p>
${
  secret
    ? html`<p class="notice" role="status">${text('apps.secret')}</p><p class="secret">${secret}</p>`
    : html`<p>${text('apps.noSecret')}</p>`
}
<p><a href="/account/apps">${text('nav.apps')}</a></p>`,
  })
}

/** A form with a file in it. What is larger than a logo may be is read to its end, and refused as no logo. */
async function readRegistration({ request }: Visit<undefined>): Promise<Given> {
  if (!request.isMultipart()) fail('UNSUPPORTED_MEDIA_TYPE')
  const fields = new Map<string, string>()
  let logo: Uint8Array | undefined
  try {
    for await (const part of request.parts({ throwFileSizeLimit: false } as object)) {
      if (part.type === 'field') fields.set(part.fieldname, String(part.value))
      else logo = await bytesOf(part)
    }
  } catch (error) {
    // What the parser does not understand has no status.
    if ((error as { statusCode?: number }).statusCode === undefined) fail('BAD_REQUEST')
    throw error
  }
  if ([...fields.values()].some((text) => text.includes('\0'))) fail('BAD_REQUEST')
  return {
    name: fields.get('name') ?? '',
    redirectUris: fields.get('redirect_uris') ?? '',
    isPublic: fields.get('kind') === 'public',
    logo,
  }
}

/** Undefined where no file was chosen. */
async function bytesOf(part: MultipartFile): Promise<Uint8Array | undefined> {
  const bytes = await part.toBuffer()
  if (part.file.truncated) return new Uint8Array()
  return bytes.length === 0 && !part.filename ? undefined : bytes
}

/** The media type of a picture by how it begins; what runs scripts is none. */
function pictureTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined
}

function appSection({ text }: Texts, { id, name, redirectUris, secret_hash, hasLogo }: App): Html {
  return html`<section aria-labelledby="app-${id}">
<h2 id="app-${id}">${name}</h2>
${hasLogo && html`<img class="logo" src="/auth/apps/${id}/logo" alt="" width="64" height="64">`}
<p>${text('apps.clientId')}: <code>${id}</code></p>
<p>${text(secret_hash === null ? 'apps.public' : 'apps.confidential')}</p>
<ul>${redirectUris.map((uri) => html`<li><code>${uri}</code></li>`)}</ul>
<form method="post" action="/account/apps/${id}/delete"><button class="second" type="submit" aria-label="${text('apps.deleteNamed', { name })}">${text('apps.delete')}</button></form>
</section>
`
}

function registrationForm({ text }: Texts, given?: Given): Html {
  return html`<form method="post" action="/account/apps" enctype="multipart/form-data">
<label for="name">${text('apps.name')}</label>
<p class="hint" id="name-hint">${text('apps.nameHint')}</p>
<input id="name" name="name" type="text" value="${given?.name}" aria-describedby="name-hint" required maxlength="100">
<label for="redirect_uris">${text('apps.redirectUris')}</label>
<p class="hint" id="uris-hint">${text('apps.redirectUrisHint')}</p>
<textarea id="redirect_uris" name="redirect_uris" aria-describedby="uris-hint" spellcheck="false" required>${given?.redirectUris}</textarea>
<fieldset><legend>${text('apps.kind')}</legend>
<label><input type="radio" name="kind" value="confidential"${given?.isPublic ? '' : new Html(' checked')}>
<span>${text('apps.confidential')}</span></label>
<label><input type="radio" name="kind" value="public"${given?.isPublic ? new Html(' checked') : ''}>
<span>${text('apps.public')}</span></label></fieldset>
<label for="logo">${text('apps.logo')}</label>
<p class="hint" id="logo-hint">${text('apps.logoHint')}</p>
<input id="logo" name="logo" type="file" accept="image/png,image/jpeg,image/webp" aria-describedby="logo-hint">
<button type="submit">${text('apps.do')}</button>
</form>`
}
