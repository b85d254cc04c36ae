import { html } from '../http/html.ts'
import { type PageResponse, pageResponse } from '../http/page.ts'
import type { Texts } from '../texts/catalogue.ts'

/** Returns the page that is shown if `npm run build` has not run. */
export function notBuiltPage(texts: Texts): PageResponse {
  return pageResponse(texts, {
    status: 503,
    title: texts.text('app.notBuilt'),
    main: html`<p>${texts.text('app.notBuiltWhy')}</p>
<p><code>npm run build</code></p>`,
  })
}
