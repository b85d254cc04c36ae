import { useEffect, useEffectEvent, useState } from 'react'

/** Milliseconds without a key after which what was typed is searched. */
const searchDelay = 150

/** Keeps what the user types, and sets the value when the user pauses. */
export function useTyped(
  value: string,
  set: (value: string) => void,
): [typed: string, setTyped: (typed: string) => void] {
  const [typed, setTyped] = useState(value)
  const change = useEffectEvent(set)
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => change(typed.trim()), searchDelay)
    return () => clearTimeout(timer)
  }, [typed, value])
  return [typed, setTyped]
}
