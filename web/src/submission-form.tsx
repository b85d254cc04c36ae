import type { ReactNode } from 'react'
import { Form } from 'react-aria-components/Form'
import type { Submission } from './submission.ts'

/** A form whose fields say what is wrong with them, until one writes in them. */
export function SubmissionForm({ submission, children }: { submission: Submission; children: ReactNode }) {
  return (
    <Form ref={listen} onSubmit={submission.onSubmit} validationErrors={submission.fieldErrors}>
      {children}
    </Form>
  )
}

function listen(form: HTMLFormElement | null): () => void {
  form?.addEventListener('input', lookAgain)
  return () => form?.removeEventListener('input', lookAgain)
}

/**
 * The library looks again at a field that was wrong when it is left: often by the click on the button, which then moves up from
 * under the pointer because the words below the field are gone. So it is told to look while one writes; when React has seen what was
 * written, which it would take back otherwise.
 */
function lookAgain({ target }: Event): void {
  if (!(target instanceof Element) || target.ariaInvalid !== 'true') return
  setTimeout(() => target.dispatchEvent(new Event('change')))
}
