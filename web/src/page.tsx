import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTexts } from './texts.ts'

interface PageProps {
  title: string
  /** For who gives it the focus again. */
  heading?: RefObject<HTMLHeadingElement | null>
  /** For a table with much in it. */
  isWide?: boolean
  children: ReactNode
}

/** A page with its title. It takes the focus when one comes to it from another one, so that its title is read aloud. */
export function Page({ title, heading: given, isWide = false, children }: PageProps) {
  const own = useRef<HTMLHeadingElement>(null)
  const heading = given ?? own
  useEffect(() => {
    document.title = `${title} – Partita`
    heading.current?.focus()
  }, [title, heading])
  return (
    <main className={isWide ? 'wide' : undefined}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  )
}

/** What has just happened: said aloud wherever one is, and to be read. */
export function Notice({ children, isWrong = false }: { children: string | undefined; isWrong?: boolean }) {
  const className = isWrong ? 'wrong' : 'notice'
  return <div role={isWrong ? 'alert' : 'status'}>{children && <p className={className}>{children}</p>}</div>
}

/** What was loaded, or else what is in the way of it. */
export function Loading({ error }: { error: string | undefined }) {
  const { text } = useTexts()
  return error ? <Notice isWrong>{error}</Notice> : <p className="hint">{text('app.loading')}</p>
}
