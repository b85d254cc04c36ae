import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo } from 'react'
import type { TextKey } from '../../../src/texts/catalogue.ts'
import { Refusal } from '../app/client.ts'
import { errorText, useTexts } from '../app/texts.ts'

export interface Submission {
  /** The errors of single fields, by the name of the field. */
  readonly fieldErrors: Readonly<Record<string, string>>
  /** The error of the form as a whole. */
  readonly error: string | undefined
  onSubmit(event: FormEvent<HTMLFormElement>): void
}

/** The error code or the field that the server names → the field of the form and the message that it shows. */
export type KnownErrors = Readonly<
  Record<string, readonly [field: string, message: TextKey, values?: Readonly<Record<string, number>>]>
>

/**
 * Sends a form. Ignores a second submit while the first one is pending.
 * @param knownErrors the errors that belong to a field; must be the same object on each render
 * @param send rejects with a `Refusal` if the server does not accept the form
 */
export function useSubmission(knownErrors: KnownErrors, send: (form: FormData) => Promise<void>): Submission {
  const texts = useTexts()
  const { mutate, isPending, error } = useMutation({ mutationFn: send })
  // React Aria shows the errors again whenever this object changes.
  const errors = useMemo(() => {
    if (error === null) return { fieldErrors: {}, error: undefined }
    const [field, message, values] =
      (error instanceof Refusal && (knownErrors[error.code] ?? knownErrors[error.field ?? ''])) || []
    return field !== undefined && message !== undefined
      ? { fieldErrors: { [field]: texts.text(message, values) }, error: undefined }
      : { fieldErrors: {}, error: errorText(texts, error) }
  }, [error, knownErrors, texts])

  return {
    ...errors,
    onSubmit(event) {
      event.preventDefault()
      if (!isPending) mutate(new FormData(event.currentTarget))
    },
  }
}
