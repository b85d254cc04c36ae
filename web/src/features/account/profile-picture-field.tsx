import { useMutation, useQueryClient } from '@tanstack/react-query'
import { maxPictureBytes, type ProfilePictureKind } from '../../../../src/contract/profile-pictures.ts'
import { call, Refusal } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { profileQuery } from './queries.ts'

interface Props {
  kind: ProfilePictureKind
  /** Null without a picture. */
  address: string | null
}

/** Stores a picture of the profile as soon as the user has chosen it. */
export function ProfilePictureField({ kind, address }: Props) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const change = useMutation({
    /** @param image in base64; undefined removes the picture */
    async mutationFn(image: string | undefined) {
      if (image === undefined) await call('removeProfilePicture', { params: { kind } })
      else await call('setProfilePicture', { params: { kind }, body: { image } })
      await queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    },
  })
  const { error } = change
  const isUnreadable = error instanceof Refusal && error.code === 'UNREADABLE_PICTURE'
  const done = change.variables === undefined ? 'profile.pictureRemoved' : 'profile.pictureSaved'
  return (
    <>
      <PictureField
        legend={text(`profile.${kind}`)}
        hint={text(`profile.${kind}Hint`)}
        maxBytes={maxPictureBytes}
        invalid={text('profile.badPicture')}
        chosen={address === null ? undefined : { address }}
        onChoose={(picture) => change.mutate(picture?.base64)}
        error={isUnreadable ? text('profile.badPicture') : undefined}
      />
      <Notice>{change.isSuccess ? text(done) : undefined}</Notice>
      <Notice isError>{error && !isUnreadable ? errorText(texts, error) : undefined}</Notice>
    </>
  )
}
