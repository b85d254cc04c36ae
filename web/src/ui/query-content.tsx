import './query-content.css'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorText, useTexts } from '../app/texts.ts'
import { Button } from './buttons.tsx'
import { Notice } from './notice.tsx'

interface Props<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** What takes the place of the data until it is there. It is decoration, which screen readers ignore. */
  skeleton?: ReactNode
  children(data: Data): ReactNode
}

/**
 * Renders the data of a query. Until there is data it says that the page is loading, and after an error it offers to try again.
 */
export function QueryContent<Data>({ query: { data, error, refetch }, skeleton, children }: Props<Data>) {
  const texts = useTexts()
  return (
    <>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      {data !== undefined && children(data)}
      {error && (
        <Button isSecondary onPress={() => void refetch()}>
          {texts.text('app.retry')}
        </Button>
      )}
      {data === undefined && !error && (
        <>
          <p className={skeleton ? 'visually-hidden' : 'hint'}>{texts.text('app.loading')}</p>
          {skeleton && (
            <div className="skeleton" aria-hidden="true">
              {skeleton}
            </div>
          )}
        </>
      )}
    </>
  )
}
