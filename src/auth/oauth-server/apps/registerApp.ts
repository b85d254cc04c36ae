import { NewApp, RegisteredApp } from '../../../contract/account.ts'
import { maxLogoBytes } from '../../../contract/account-limits.ts'
import { Answer } from '../../../answer.ts'
import { fail } from '../../../errors.ts'
import { pictureTypeOf } from '../../../lib/picture-type.ts'
import { operation } from '../../../operation.ts'
import { addStoredBytes } from '../../../features/people/storage/quota.ts'
import { checkIsSignedIn } from '../../sessions/session-user.ts'
import { storeApp, presentApp } from './own-apps.ts'
import { prepareApp } from './registration.ts'
import { insertAppLogo, listAppsOf } from './store.ts'

/** Maximum number of apps of one user. */
const maxApps = 50

export const registerApp = operation({
  id: 'registerApp',
  accepts: 'session',
  tag: 'Account',
  summary: 'Register an app',
  description: 'The answer is the only one that contains the secret of the app. A public app has none.',
  body: NewApp,
  bodyLimit: 256 * 1024,
  returnsSecret: true,
  responses: { 201: RegisteredApp },
  async handle({ ctx, actor, body: { logo, ...registration } }) {
    const picture = logo === undefined ? undefined : pictureIn(logo)
    const { app, redirectUris, secret } = prepareApp(ctx, { ...registration, owner: actor.id })
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, actor.access.hash)
      if ((await listAppsOf(tx, actor.id)).length >= maxApps) fail('TOO_MANY_APPS')
      await storeApp(ctx, tx, app, redirectUris)
      if (!picture) return
      await insertAppLogo(tx, { app_id: app.id, ...picture })
      await addStoredBytes(ctx, tx, actor.id, picture.content.length)
    })
    const presented = presentApp({ ...app, redirectUris, hasLogo: picture !== undefined })
    return new Answer({ ...presented, secret: secret ?? null }, { status: 201 })
  },
})

/**
 * Decodes a logo. The media type follows from the first bytes, so that no format passes that can run scripts.
 * @param logo base64
 * @throws INVALID_PARAMETER
 */
function pictureIn(logo: string): { media_type: string; content: Uint8Array } {
  const content = Buffer.from(logo, 'base64')
  const media_type = pictureTypeOf(content)
  if (!media_type || content.length > maxLogoBytes) {
    fail('INVALID_PARAMETER', {
      param: 'logo',
      message: '`logo` must be PNG, JPEG or WebP of at most 100 KiB.',
    })
  }
  return { media_type, content }
}
