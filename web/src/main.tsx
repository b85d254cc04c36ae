import '../../src/http/page.css'
import './app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Application } from './application.tsx'
import { getMe } from './client.ts'
import { inWords, loadTexts, TextsContext } from './texts.ts'

const root = createRoot(document.getElementById('app') ?? document.body)
const texts = await loadTexts(document.documentElement.lang)

const content = await getMe().then(
  (me) => <Application me={me} />,
  (error: unknown) => (
    <main>
      <p role="alert">{inWords(texts, error)}</p>
    </main>
  ),
)

root.render(
  <StrictMode>
    <I18nProvider locale={texts.language}>
      <TextsContext value={texts}>{content}</TextsContext>
    </I18nProvider>
  </StrictMode>,
)
