import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import type { Config } from '../config.ts'
import { programIndex } from '../http/documentation.ts'
import { html } from '../http/html.ts'
import { type PageResponse, pageResponse } from '../http/page.ts'
import type { Texts } from '../texts/catalogue.ts'

/** Returns the addresses of the interface for a program at `/`, or undefined for a browser. */
export function answerToProgram(
  { config }: { config: Config },
  headers: IncomingHttpHeaders,
): PageResponse | undefined {
  const wanted = new Negotiator({ headers }).mediaType(['application/json', 'text/html'])
  if (wanted === 'text/html') return undefined
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept' },
    content: JSON.stringify(programIndex(config)),
  }
}

/** Returns the page at `/` for a visitor without a session: what this server is, and how to sign in. */
export function startPage({ config }: { config: Config }, texts: Texts): PageResponse {
  const { text } = texts
  const page = pageResponse(texts, {
    title: text('start.title'),
    main: html`<p class="lead">${text('start.what')}</p>
<p class="buttons"><a class="button" href="/auth/signin">${text('signIn.do')}</a>
${config.signUp && html`<a class="button second" href="/auth/signup">${text('signUp.title')}</a>`}</p>
<ul class="points">
<li>${text('start.library')}</li>
<li>${text('start.classes')}</li>
<li>${text('start.own')}</li>
</ul>
<p class="hint">${text('start.developers')} <a href="/docs">${text('score.docs')}</a> · <a href="/v2/openapi.json">${text('start.openapi')}</a></p>`,
  })
  return { ...page, headers: { ...page.headers, Vary: 'Accept, Accept-Language, Cookie' } }
}
