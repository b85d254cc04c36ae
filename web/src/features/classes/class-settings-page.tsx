import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { ClassFrame } from '../../teaching/class-frame.tsx'
import { classQuery, groupMembersQuery } from '../../teaching/queries.ts'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useSubmission } from '../../ui/submission.ts'
import { useToast } from '../../ui/toasts.tsx'
import { ClassFields, classOf, knownErrors } from './class-fields.tsx'
import { CopySection } from './copy-section.tsx'

/** The name and the description of a class, a copy for the next year, its state, and the way to leave it. */
export function ClassSettingsPage({ class: id }: AddressParameters<'/classes/{class}/settings'>) {
  return (
    <ClassFrame id={id} address="/classes/{class}/settings">
      {(schoolClass) => (
        <>
          {schoolClass.state !== 'archived' && <DetailsForm schoolClass={schoolClass} />}
          <CopySection schoolClass={schoolClass} />
          <StateSection schoolClass={schoolClass} />
          {schoolClass.state !== 'archived' && <LeaveSection schoolClass={schoolClass} />}
        </>
      )}
    </ClassFrame>
  )
}

function DetailsForm({ schoolClass }: { schoolClass: ClassDetails }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const [isSaved, setSaved] = useState(false)
  const submission = useSubmission(knownErrors, async (form) => {
    setSaved(false)
    const changed = await call('updateClass', { params: { class: schoolClass.id }, body: classOf(form) })
    queries.setQueryData(classQuery(schoolClass.id).queryKey, changed)
    await queries.invalidateQueries({ queryKey: ['classes', 'list'] })
    setSaved(true)
  })
  return (
    <>
      <SubmissionForm submission={submission} action={text('classes.save')}>
        <ClassFields of={schoolClass} />
      </SubmissionForm>
      <Notice>{isSaved ? text('classes.saved') : undefined}</Notice>
    </>
  )
}

type Transition = 'archiveClass' | 'unarchiveClass' | 'activateClass'

/** Opens a class to its students, archives it, and restores it. */
function StateSection({ schoolClass: { id, state } }: { schoolClass: ClassDetails }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const toast = useToast()
  const { mutate, error } = useMutation({
    mutationFn: (transition: Transition) => call(transition, { params: { class: id } }),
    async onSuccess(changed, transition) {
      queries.setQueryData(classQuery(id).queryKey, changed)
      await queries.invalidateQueries({ queryKey: ['classes'] })
      if (transition === 'archiveClass')
        toast({ message: text('classes.archivedNow'), undo: () => mutate('unarchiveClass') })
    },
  })
  return (
    <section aria-labelledby="state">
      <h2 id="state">{text('classes.state')}</h2>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      {state === 'inactive' && (
        <>
          <p>{text('classes.activateWhat')}</p>
          <Button onPress={() => mutate('activateClass')}>{text('classes.activate')}</Button>
        </>
      )}
      {state === 'archived' ? (
        <>
          <p>{text('classes.unarchiveWhat')}</p>
          <Button onPress={() => mutate('unarchiveClass')}>{text('classes.unarchive')}</Button>
        </>
      ) : (
        <>
          <p>{text('classes.archiveWhat')}</p>
          <Button isSecondary onPress={() => mutate('archiveClass')}>
            {text('classes.archive')}
          </Button>
        </>
      )}
    </section>
  )
}

/** Only a teacher of the class can leave it, and only while another teacher stays. An administrator may be no member. */
function LeaveSection({ schoolClass: { id, teachersGroup } }: { schoolClass: ClassDetails }) {
  const texts = useTexts()
  const { text } = texts
  const me = useMe()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const teachers = useQuery(groupMembersQuery(teachersGroup?.id ?? ''))
  const { mutate, error } = useMutation({
    mutationFn: () => call('deleteClassUser', { params: { class: id, user: 'me' } }),
    async onSuccess() {
      goTo(pathTo('/classes'))
      await queries.invalidateQueries({ queryKey: ['classes'] })
    },
  })
  if (!teachers.data?.some((user) => user.id === me.id) || teachers.data.length < 2) return null
  return (
    <section aria-labelledby="leave">
      <h2 id="leave">{text('classes.leave')}</h2>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <p>{text('classes.leaveWhat')}</p>
      <Confirmation
        action={text('classes.leave')}
        label={text('classes.leave')}
        consequence={text('classes.leaveWhat')}
        onConfirm={() => mutate()}
      />
    </section>
  )
}
