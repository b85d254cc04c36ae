import { type FormEvent, useState } from 'react'
import type { TextKey } from '../../src/texts/catalogue.ts'
import { Refusal } from './client.ts'
import { inWords, useTexts } from './texts.ts'

export interface Submission {
  /** What is wrong with a field, by its name. */
  readonly fieldErrors: Readonly<Record<string, string>>
  /** What else is wrong. */
  readonly error: string | undefined
  onSubmit(event: FormEvent<HTMLFormElement>): void
}

/**
 * Sends a form once at a time, and says what was not accepted where it stands.
 * @param wrong what to say where: what the server calls it, a field or the code of an error → the field here and the words
 */
export function useSubmission(
  wrong: Readonly<Record<string, readonly [field: string, words: TextKey]>>,
  send: (form: FormData) => Promise<void>,
): Submission {
  const texts = useTexts()
  const [isPending, setPending] = useState(false)
  const [fieldErrors, setFieldErrors] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState<string>()

  function refuse(refusal: unknown) {
    const known = refusal instanceof Refusal && (wrong[refusal.code] ?? wrong[refusal.field ?? ''])
    if (known) setFieldErrors({ [known[0]]: texts.text(known[1]) })
    else setError(inWords(texts, refusal))
  }

  return {
    fieldErrors,
    error,
    onSubmit(event) {
      event.preventDefault()
      if (isPending) return
      setPending(true)
      setError(undefined)
      setFieldErrors({})
      send(new FormData(event.currentTarget))
        .catch(refuse)
        .finally(() => setPending(false))
    },
  }
}
