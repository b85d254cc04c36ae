import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify'
import { Html, html } from './html.ts'
import type { Texts } from '../texts/catalogue.ts'

export interface Page {
  title: string
  /** The content below the title. */
  main: Html
  /** 200 if undefined. */
  status?: number | undefined
  /** The navigation beside the page. Without it, the page is a card on a plain background. */
  navigation?: Html | undefined
  /** Other targets of the forms of the page: origins, or schemes with their colon. */
  formTargets?: readonly string[]
  /** The path of the only script of the page. */
  script?: string | undefined
  /** Styles that only this page has. */
  style?: PageStyle | undefined
  /** Seconds after which the client may try again. */
  retryAfter?: number | undefined
}

/** Styles in the head of a page, with the hash by which its policy allows them. */
export interface PageStyle {
  readonly markup: Html
  readonly hash: string
}

/** Reads a style sheet. */
export function pageStyle(file: URL): PageStyle {
  const css = readFileSync(file, 'utf8')
  return { markup: new Html(`<style>${css}</style>`), hash: `sha256-${hash('sha256', css, 'base64')}` }
}

/** A response to a browser: a page, or a redirect without content. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  /** `Set-Cookie` headers. */
  readonly cookies?: readonly string[]
  readonly content?: string
}

/**
 * Returns a small page. It runs no scripts except the named one, and loads only pictures of this server. It cannot be framed or
 * stored, and does not tell other sites its address.
 */
export function pageResponse({ language }: Texts, page: Page): PageResponse {
  const { title, main, status = 200, navigation, formTargets = [], retryAfter, script, style } = page
  const formAction = ["'self'", ...formTargets].join(' ')
  const content = html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${common.markup}
${style?.markup}
${script && html`<script src="${script}" defer></script>`}
</head>
<body class="${navigation ? 'framed' : 'plain'}">
<header class="rail"><a class="brand" href="/">Partita</a>
${navigation}</header>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
  return {
    status,
    headers: {
      ...htmlHeaders(
        `default-src 'none'; ${script ? "script-src 'self'; connect-src 'self'; " : ''}style-src '${common.hash}'${style ? ` '${style.hash}'` : ''}; img-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
      ),
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    },
    content: content.markup,
  }
}

/** Returns the headers of a page of one user: with this content security policy, not framed and not stored. */
export const htmlHeaders = (policy: string): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'X-Frame-Options': 'DENY',
  // With `no-referrer`, browsers would send forms of the page with the origin `null` (Fetch, "append a
  // request Origin header").
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
})

/** Returns a redirect with 303, so that the browser sends a GET. */
export const redirectResponse = (location: string, cookies: readonly string[] = []): PageResponse => ({
  status: 303,
  headers: { 'Cache-Control': 'no-store', Location: location },
  cookies,
})

export const withCookies = (response: PageResponse, ...cookies: readonly string[]): PageResponse => ({
  ...response,
  cookies: [...(response.cookies ?? []), ...cookies],
})

/**
 * Sets status and headers, and returns the content for Fastify to send. Handlers return the content because a reply is
 * thenable: `await` of a reply waits until it is sent and yields undefined, and then Fastify sends again.
 */
export function contentOf(response: PageResponse, reply: FastifyReply): string | undefined {
  reply.status(response.status).headers(response.headers)
  for (const cookie of response.cookies ?? []) reply.header('Set-Cookie', cookie)
  return response.content
}

/** Registers the route of a page. The handler returns the response and cannot send one. */
export function pageRoute<Route extends RouteGenericInterface>(
  scope: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  handle: (request: FastifyRequest<Route>) => PageResponse | Promise<PageResponse>,
): void {
  const handler = async (request: FastifyRequest<Route>, reply: FastifyReply) =>
    contentOf(await handle(request), reply)
  scope.route({ method, url, handler: handler as RouteHandlerMethod })
}

const common = pageStyle(new URL('./page.css', import.meta.url))
