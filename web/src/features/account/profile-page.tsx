import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Profile } from '../../../../src/contract/account.ts'
import { maxBioLength } from '../../../../src/contract/account-limits.ts'
import { profilePictureKinds } from '../../../../src/contract/profile-pictures.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { CheckboxField, Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { ProfilePictureField } from './profile-picture-field.tsx'
import { profileQuery } from './queries.ts'

/** What other users see of the user. */
export function ProfilePage() {
  const { text } = useTexts()
  const profile = useQuery(profileQuery)
  return (
    <Page title={text('profile.title')}>
      <QueryContent query={profile}>
        {(loaded) => (
          <>
            <section aria-labelledby="pictures">
              <h2 id="pictures">{text('profile.pictures')}</h2>
              {profilePictureKinds.map((kind) => (
                <ProfilePictureField key={kind} kind={kind} address={loaded[kind]} />
              ))}
            </section>
            <TextSection profile={loaded} />
            <DisplaySection />
          </>
        )}
      </QueryContent>
    </Page>
  )
}

const knownErrors: KnownErrors = {}

function TextSection({ profile: { bio, privateProfile } }: { profile: Profile }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const [isSaved, setSaved] = useState(false)
  const submission = useSubmission(knownErrors, async (form) => {
    setSaved(false)
    const changed = await call('changeProfile', {
      body: {
        bio: String(form.get('bio')),
        ...(privateProfile !== null && { privateProfile: form.get('privateProfile') !== null }),
      },
    })
    queries.setQueryData(profileQuery.queryKey, changed)
    setSaved(true)
  })
  return (
    <section aria-labelledby="about">
      <h2 id="about">{text('profile.about')}</h2>
      <Notice>{isSaved ? text('profile.saved') : undefined}</Notice>
      <SubmissionForm submission={submission} action={text('profile.save')}>
        <Field
          name="bio"
          label={text('profile.bio')}
          hint={text('profile.bioHint')}
          defaultValue={bio}
          maxLength={maxBioLength}
          isMultiline
        />
        {privateProfile !== null && (
          <CheckboxField
            name="privateProfile"
            label={text('profile.private')}
            hint={text('profile.privateHint')}
            defaultSelected={privateProfile}
          />
        )}
      </SubmissionForm>
    </section>
  )
}

/** How the pages are shown to the user. The choice counts for more than that of a teacher. */
function DisplaySection() {
  const { text } = useTexts()
  const { display } = useMe()
  const submission = useSubmission(knownErrors, async (form) => {
    const simplePages = form.get('simplePages') !== null
    await call('changeDisplay', { body: { simplePages } })
    // The server marks the page.
    location.reload()
  })
  return (
    <section aria-labelledby="display">
      <h2 id="display">{text('display.title')}</h2>
      <SubmissionForm submission={submission} action={text('display.save')}>
        <CheckboxField
          name="simplePages"
          label={text('display.simple')}
          hint={text('display.simpleHint')}
          defaultSelected={display.simplePages}
        />
      </SubmissionForm>
    </section>
  )
}
