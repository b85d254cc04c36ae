import { randomBytes } from 'node:crypto'
import { NewProfilePicture, Profile, ProfilePictureParams } from '../../../contract/account.ts'
import { maxPictureBytes, profilePictureSizes } from '../../../contract/profile-pictures.ts'
import { fail } from '../../../errors.ts'
import { decodeBase64 } from '../../../lib/base64.ts'
import { operation } from '../../../operation.ts'
import { addStoredBytes } from '../storage/quota.ts'
import { loadOwnAccount } from './own-account.ts'
import { deletePicture, insertPicture } from './pictures.store.ts'
import { presentEditableProfile } from './present.ts'

export const setProfilePicture = operation({
  id: 'setProfilePicture',
  accepts: 'session',
  tag: 'Account',
  summary: 'Set a picture of the own profile',
  description: 'The server crops the picture and stores it without metadata. It replaces the one before.',
  params: ProfilePictureParams,
  body: NewProfilePicture,
  bodyLimit: 14 * 1024 * 1024,
  responses: { 200: Profile },
  async handle({ ctx, actor, params: { kind }, body, request }) {
    const bytes = decodeBase64(body.image)
    if (!bytes || bytes.length > maxPictureBytes) fail('UNREADABLE_PICTURE', { param: 'image' })
    const content = await ctx.pictures.crop(bytes, profilePictureSizes[kind], request)
    const changed = await ctx.transaction(async (tx) => {
      const user_id = (await loadOwnAccount(tx, actor)).id
      await deletePicture(tx, user_id, kind)
      const id = randomBytes(16).toString('hex')
      await insertPicture(tx, { id, user_id, kind, content, created_at: ctx.clock.now() })
      await addStoredBytes(ctx, tx, user_id, content.length)
      return loadOwnAccount(tx, actor)
    })
    return presentEditableProfile(changed, ctx.config.publicUrl)
  },
})
