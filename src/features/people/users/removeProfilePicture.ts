import { ProfilePictureParams } from '../../../contract/account.ts'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { deletePicture } from './pictures.store.ts'

export const removeProfilePicture = operation({
  id: 'removeProfilePicture',
  accepts: 'session',
  tag: 'Account',
  summary: 'Remove a picture of the own profile',
  params: ProfilePictureParams,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { kind } }) {
    const isRemoved = await ctx.transaction((tx) => deletePicture(tx, actor.id, kind))
    if (!isRemoved) fail('PICTURE_NOT_FOUND')
  },
})
