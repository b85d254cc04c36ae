import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Form } from 'react-aria-components/Form'
import { useTexts } from '../app/texts.ts'
import { Button } from './buttons.tsx'
import { FilterFields } from './filter-fields.tsx'

interface Props {
  /** Is called when the user pauses while typing, and for the button. The values can be the same as before. */
  onChoose(form: FormData): void
  /** The fields. */
  children: ReactNode
}

/** How long the user has not typed before the list is read. */
const pauseMilliseconds = 250

/** A filter of a list, which applies while the user types. */
export function FilterForm({ onChoose, children }: Props) {
  const { text } = useTexts()
  const form = useRef<HTMLFormElement>(null)
  const choose = useEffectEvent(() => {
    if (form.current) onChoose(new FormData(form.current))
  })
  useEffect(() => {
    const element = form.current
    let timer: number | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => choose(), pauseMilliseconds)
    }
    element?.addEventListener('input', wait)
    return () => {
      clearTimeout(timer)
      element?.removeEventListener('input', wait)
    }
  }, [])
  return (
    <Form
      ref={form}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(new FormData(event.currentTarget))
      }}
    >
      <FilterFields>{children}</FilterFields>
      <Button type="submit">{text('audit.show')}</Button>
    </Form>
  )
}
