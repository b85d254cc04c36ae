interface Props {
  /** Nothing is shown while there is no message. */
  children: string | undefined
  /** Marks the message as an error. */
  isError?: boolean
}

/**
 * A message about the last action. Screen readers announce a change of its text, so render the notice even if there is
 * no message yet.
 */
export function Notice({ children, isError = false }: Props) {
  const className = isError ? 'wrong' : 'notice'
  return <div role={isError ? 'alert' : 'status'}>{children && <p className={className}>{children}</p>}</div>
}
