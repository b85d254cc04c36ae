import './join-pages.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Form } from 'react-aria-components/Form'
import { Link } from 'react-aria-components/Link'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useToast } from '../../ui/toasts.tsx'

/** Asks for the enrolment code of a class. */
export function EnterCodePage() {
  const { text } = useTexts()
  const { goTo } = useRouter()
  return (
    <Page title={text('join.title')} className="join">
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          const code = String(new FormData(event.currentTarget).get('code'))
          goTo(pathTo('/join/{code}', { code: plainCode(code) }))
        }}
      >
        <Field
          name="code"
          label={text('join.code')}
          hint={text('join.codeHint')}
          isRequired
          maxLength={100}
          autoComplete="off"
          spellCheck="false"
        />
        <Button type="submit">{text('join.next')}</Button>
      </Form>
    </Page>
  )
}

/** Codes have lower-case letters and no spaces, but people write them as they like. */
const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()

/** Joins the class whose code is in the address, as in the QR code on the wall. */
export function JoinPage({ code }: AddressParameters<'/join/{code}'>) {
  const texts = useTexts()
  const { text } = texts
  const { username, organizationRole } = useMe()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call('enrollClass', { params: { enrollmentCode: plainCode(code) } }),
    async onSuccess({ id, name }) {
      await queries.invalidateQueries({ queryKey: ['classes'] })
      goTo(pathTo('/classes/{class}', { class: id }))
      toast({ message: text('join.done', { name }) })
    },
  })
  if (organizationRole === null) {
    return (
      <Page title={text('join.title')} className="join">
        <p>{text('join.noSchool', { user: username })}</p>
      </Page>
    )
  }
  return (
    <Page title={text('join.title')} className="join">
      <p className="join-code">{plainCode(code)}</p>
      <p>{text(organizationRole === 'user' ? 'join.asStudent' : 'join.asTeacher', { user: username })}</p>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <Button isPending={isPending} onPress={() => mutate()}>
        {text('join.do')}
      </Button>
      {error && (
        <p>
          <Link href={pathTo('/join')}>{text('join.other')}</Link>
        </p>
      )}
    </Page>
  )
}
