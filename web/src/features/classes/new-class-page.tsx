import { useQueryClient } from '@tanstack/react-query'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { classQuery } from '../../teaching/queries.ts'
import { SubmissionForm } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { useSubmission } from '../../ui/submission.ts'
import { ClassFields, classOf, knownErrors } from './class-fields.tsx'

/** Creates a class, and leads to its enrolment code. */
export function NewClassPage() {
  const { text } = useTexts()
  const { organizationRole } = useMe()
  const mayCreate = organizationRole !== null && organizationRole !== 'user'
  return (
    <Page title={text('classes.new')}>
      {mayCreate ? <NewClassForm /> : <p>{text('classes.forTeachers')}</p>}
    </Page>
  )
}

function NewClassForm() {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const submission = useSubmission(knownErrors, async (form) => {
    const created = await call('createClass', { body: classOf(form) })
    queries.setQueryData(classQuery(created.id).queryKey, created)
    await queries.invalidateQueries({ queryKey: ['classes', 'list'] })
    goTo(pathTo('/classes/{class}/people', { class: created.id }))
  })
  return (
    <SubmissionForm submission={submission} action={text('classes.create')} cancelPath={pathTo('/classes')}>
      <ClassFields />
    </SubmissionForm>
  )
}
