import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

interface Props {
  title: string
  /** Pass a ref if the page moves the focus back to its title. */
  heading?: RefObject<HTMLHeadingElement | null>
  /** Uses the full width of the window, for a large table. */
  isWide?: boolean
  className?: string
  /** The content below the title, or a function that places the title itself. */
  children: ReactNode | ((title: ReactNode) => ReactNode)
}

/** The frame of a page. Its title takes the focus when the page opens, so that screen readers announce it. */
export function Page({ title, heading: headingRef, isWide = false, className, children }: Props) {
  const ownHeading = useRef<HTMLHeadingElement>(null)
  const heading = headingRef ?? ownHeading
  useEffect(() => {
    document.title = `${title} – Partita`
  }, [title])
  // Only when the page opens: a title that changes when the data arrives must not take the focus away from the user.
  useEffect(() => heading.current?.focus(), [heading])
  const shownTitle = (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  )
  return (
    <main id="main" className={className ?? (isWide ? 'wide' : undefined)}>
      {typeof children === 'function' ? (
        children(shownTitle)
      ) : (
        <>
          {shownTitle}
          {children}
        </>
      )}
    </main>
  )
}
