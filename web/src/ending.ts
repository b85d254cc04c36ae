import { type RefObject, useRef, useState } from 'react'
import { inWords, useTexts } from './texts.ts'

interface Named {
  id: string
  name: string
}

interface Ending {
  /** Of the list: takes the focus when the row is gone on which it was. */
  readonly heading: RefObject<HTMLHeadingElement | null>
  /** What has become of it. */
  readonly notice: string | undefined
  readonly hasFailed: boolean
  end(one: Named): void
}

/** Ends one of a list, and says so. */
export function useEnding(endById: (id: string) => Promise<void>, reload: () => Promise<void>): Ending {
  const texts = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const [notice, setNotice] = useState<string>()
  const [hasFailed, setFailed] = useState(false)

  async function end({ id, name }: Named) {
    try {
      await endById(id)
      await reload()
      setFailed(false)
      setNotice(texts.text('app.gone', { name }))
      heading.current?.focus()
    } catch (error) {
      setFailed(true)
      setNotice(inWords(texts, error))
    }
  }

  return { heading, notice, hasFailed, end }
}
