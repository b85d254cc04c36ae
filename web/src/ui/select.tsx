import { type ReactNode, useId } from 'react'

interface Props {
  name: string
  label: string
  defaultValue?: string
  /** The first option has no value, and another one has to be chosen. */
  isRequired?: boolean
  onChoose?(value: string): void
  /** `<option>` elements. */
  children: ReactNode
}

/** A field with a list of choices, of which the user chooses one. */
export function Select({ name, label, defaultValue, isRequired, onChoose, children }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        defaultValue={defaultValue}
        required={isRequired}
        onChange={({ target }) => onChoose?.(target.value)}
      >
        {children}
      </select>
    </div>
  )
}
