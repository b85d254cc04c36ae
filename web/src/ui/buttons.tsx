import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { Link } from 'react-aria-components/Link'

interface ButtonProps extends Omit<AriaButtonProps, 'className'> {
  className?: string
  /** A less prominent look, for an action beside the main one. */
  isSecondary?: boolean
}

export function Button({ isSecondary = false, className, ...props }: ButtonProps) {
  const classes = className ?? (isSecondary ? 'second' : undefined)
  return <AriaButton {...props} {...(classes !== undefined && { className: classes })} />
}

interface ButtonLinkProps {
  /** The path of a page of the app (`pathTo`). */
  href: string
  isSecondary?: boolean
  children: ReactNode
}

/** A link to a page of the app that looks like a button. */
export function ButtonLink({ href, isSecondary = false, children }: ButtonLinkProps) {
  return (
    <Link className={isSecondary ? 'button second' : 'button'} href={href}>
      {children}
    </Link>
  )
}
