import type { ReactNode } from 'react'
import { Form } from 'react-aria-components/Form'
import { useTexts } from '../app/texts.ts'
import { Button, ButtonLink } from './buttons.tsx'
import { Notice } from './notice.tsx'
import type { Submission } from './submission.ts'

interface Props {
  submission: Submission
  /** The text of the submit button. */
  action: string
  /** The path of the page that the cancel link opens. Without it there is no such link. */
  cancelPath?: string
  /** Closes the dialog around the form. Without it there is no such button. */
  onCancel?(): void
  children: ReactNode
}

/** A form with its fields, errors and buttons. The error of a field disappears when the user edits the field. */
export function SubmissionForm({ submission, action, cancelPath, onCancel, children }: Props) {
  const { text } = useTexts()
  return (
    <Form ref={listen} onSubmit={submission.onSubmit} validationErrors={submission.fieldErrors}>
      {children}
      <Notice isError>{submission.error}</Notice>
      <div className="buttons">
        <Button type="submit">{action}</Button>
        {onCancel && (
          <Button isSecondary onPress={onCancel}>
            {text('app.cancel')}
          </Button>
        )}
        {cancelPath !== undefined && (
          <ButtonLink isSecondary href={cancelPath}>
            {text('app.cancel')}
          </ButtonLink>
        )}
      </div>
    </Form>
  )
}

function listen(form: HTMLFormElement | null): () => void {
  form?.addEventListener('input', validateAgain)
  return () => form?.removeEventListener('input', validateAgain)
}

/**
 * React Aria validates a field again when the field loses the focus. If a click on the button takes the focus, the error
 * disappears during the click and the button moves away from the pointer. A `change` event makes React Aria validate the
 * field while the user types. The timeout waits until React has stored the typed text. Otherwise React would undo it.
 */
function validateAgain({ target }: Event): void {
  if (!(target instanceof Element) || target.ariaInvalid !== 'true') return
  setTimeout(() => target.dispatchEvent(new Event('change')))
}
