import { type ReactNode, useId } from 'react'

interface Props {
  name: string
  label: string
  defaultValue?: string
  onChoose?(value: string): void
  /** `<option>` elements. */
  children: ReactNode
}

/** A field with a list of choices, of which the user chooses one. */
export function Select({ name, label, defaultValue, onChoose, children }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        defaultValue={defaultValue}
        onChange={({ target }) => onChoose?.(target.value)}
      >
        {children}
      </select>
    </div>
  )
}
