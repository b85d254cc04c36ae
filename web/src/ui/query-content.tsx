import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorText, useTexts } from '../app/texts.ts'
import { Notice } from './notice.tsx'

interface Props<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error'>
  children(data: Data): ReactNode
}

/** Renders the data of a query. Until there is data it says that the page is loading, and an error if there is one. */
export function QueryContent<Data>({ query: { data, error }, children }: Props<Data>) {
  const texts = useTexts()
  return (
    <>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      {data !== undefined && children(data)}
      {data === undefined && !error && <p className="hint">{texts.text('app.loading')}</p>}
    </>
  )
}
