import { useCallback, useEffect, useState } from 'react'
import { inWords, useTexts } from './texts.ts'

export interface Loaded<Value> {
  /** Undefined until it is there. */
  readonly value: Value | undefined
  /** Why it is not, in words. */
  readonly error: string | undefined
  reload(): Promise<void>
}

/** What a page shows from the server. @param load the same function each time */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const texts = useTexts()
  const [state, setState] = useState<Pick<Loaded<Value>, 'value' | 'error'>>({ value: undefined, error: undefined })
  const reload = useCallback(async () => {
    try {
      setState({ value: await load(), error: undefined })
    } catch (error) {
      setState({ value: undefined, error: inWords(texts, error) })
    }
  }, [load, texts])
  useEffect(() => {
    reload()
  }, [reload])
  return { ...state, reload }
}
