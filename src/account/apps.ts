import { Apps, ById, NewApp, RegisteredApp } from '../contract/account.ts'
import { fail } from '../errors.ts'
import { registerApp } from '../features/apps/registration.ts'
import { endApp, keepApp } from '../features/apps/own-apps.ts'
import { type App, insertAppLogo, listAppsOf } from '../features/apps/store.ts'
import { checkIsSignedIn } from '../http/session.ts'
import { dateTime } from '../lib/date-time.ts'
import { accountRoute } from './route.ts'

const mostApps = 50
const mostLogoBytes = 100 * 1024

/** The apps that somebody has registered, and that ask others for access. */
export const appRoutes = [
  accountRoute({
    method: 'GET',
    path: '/apps',
    response: Apps,
    async handle({ ctx, visitor }) {
      return (await listAppsOf(ctx.db.read, visitor.user.id)).map(presentApp)
    },
  }),

  accountRoute({
    method: 'POST',
    path: '/apps',
    body: NewApp,
    bodyLimit: 256 * 1024,
    status: 201,
    response: RegisteredApp,
    async handle({ ctx, visitor, body: { logo, ...registration } }) {
      const picture = logo === undefined ? undefined : pictureIn(logo)
      const owner = visitor.user.id
      const { app, secret } = registerApp(ctx, { ...registration, owner })
      await ctx.transaction(async (tx) => {
        await checkIsSignedIn(ctx, tx, visitor)
        if ((await listAppsOf(tx, owner)).length >= mostApps) fail('TOO_MANY_APPS')
        await keepApp(ctx, tx, app, registration.redirectUris)
        if (picture) await insertAppLogo(tx, { app_id: app.id, ...picture })
      })
      const redirectUris = [...new Set(registration.redirectUris)].sort()
      return { ...presentApp({ ...app, redirectUris, hasLogo: picture !== undefined }), secret: secret ?? null }
    },
  }),

  accountRoute({
    method: 'DELETE',
    path: '/apps/{id}',
    params: ById,
    async handle({ ctx, visitor, params: { id } }) {
      if (!(await ctx.transaction((tx) => endApp(ctx, tx, { id, owner: visitor.user.id })))) fail('APP_NOT_FOUND')
      ctx.actors.forget()
    },
  }),
]

function presentApp({ id, name, secret_hash, created_at, redirectUris, hasLogo }: App) {
  return {
    id,
    name,
    isPublic: secret_hash === null,
    redirectUris: [...redirectUris],
    logo: hasLogo ? `/auth/apps/${id}/logo` : null,
    createdAt: dateTime(created_at),
  }
}

/** A picture by how it begins; what runs scripts is none. */
function pictureIn(logo: string): { media_type: string; content: Uint8Array } {
  const content = Buffer.from(logo, 'base64')
  const start = content.subarray(0, 12).toString('latin1')
  const media_type = start.startsWith('\x89PNG\r\n\x1a\n')
    ? 'image/png'
    : start.startsWith('\xff\xd8\xff')
      ? 'image/jpeg'
      : start.startsWith('RIFF') && start.endsWith('WEBP')
        ? 'image/webp'
        : undefined
  if (!media_type || content.length > mostLogoBytes) {
    fail('INVALID_PARAMETER', { param: 'logo', message: '`logo` must be PNG, JPEG or WebP of at most 100 KiB.' })
  }
  return { media_type, content }
}
