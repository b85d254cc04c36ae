import { useState } from 'react'

/**
 * Keeps a setting of the reader on this device.
 * @param parse returns undefined for a text that is no value
 */
export function useStoredSetting<Value extends string | number | boolean>(
  name: string,
  initial: Value,
  parse: (text: string) => Value | undefined,
): [value: Value, set: (value: Value) => void] {
  const key = `partita.${name}`
  const [value, setValue] = useState<Value>(() => {
    const stored = localStorage.getItem(key)
    return (stored === null ? undefined : parse(stored)) ?? initial
  })
  return [
    value,
    (next) => {
      localStorage.setItem(key, String(next))
      setValue(next)
    },
  ]
}
