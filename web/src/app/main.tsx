import '../../../src/http/page.css'
import '../ui/app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Application } from './application.tsx'
import { loadPage } from './pages.ts'
import { createQueryClient, meQuery } from './queries.ts'
import { errorText, loadTexts, TextsContext, textsOfPage } from './texts.ts'

// Not a top-level await: a chunk of an area would wait for the modules that wait for it.
async function start(): Promise<void> {
  const queries = createQueryClient()
  const texts = textsOfPage()
  const loadingTexts = loadTexts('frame')
  const content = await Promise.all([loadPage(location.pathname), queries.fetchQuery(meQuery)]).then(
    ([page]) => <Application firstPage={page} />,
    async (error: unknown) => {
      await loadingTexts
      return (
        <main>
          <p role="alert">{errorText(texts, error)}</p>
          <button type="button" onClick={() => location.reload()}>
            {texts.text('app.retry')}
          </button>
        </main>
      )
    },
  )
  await loadingTexts
  createRoot(document.getElementById('app') ?? document.body).render(
    <StrictMode>
      <I18nProvider locale={texts.language}>
        <TextsContext value={texts}>
          <QueryClientProvider client={queries}>{content}</QueryClientProvider>
        </TextsContext>
      </I18nProvider>
    </StrictMode>,
  )
}

void start()
