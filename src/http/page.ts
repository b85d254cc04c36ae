import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { Html, html } from './html.ts'
import type { Texts } from '../texts/catalogue.ts'

export interface Page {
  title: string
  /** The content below the title. */
  main: Html
  /** The navigation above the title. */
  navigation?: Html | undefined
  /** Other targets of the forms of the page: origins, or schemes with their colon. */
  formTargets?: readonly string[]
}

/**
 * Sends a small page. It runs no scripts and loads only pictures of this server. It cannot be framed or
 * stored, and does not tell other sites its address.
 */
export function sendPage(reply: FastifyReply, { language }: Texts, page: Page): FastifyReply {
  const { title, main, navigation, formTargets = [] } = page
  const formAction = ["'self'", ...formTargets].join(' ')
  const content = html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${style}
</head>
<body>
${navigation && html`<header>${navigation}</header>`}
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
  return (
    reply
      .type('text/html; charset=utf-8')
      .header(
        'Content-Security-Policy',
        `default-src 'none'; style-src '${styleHash}'; img-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
      )
      .header('X-Frame-Options', 'DENY')
      // With `no-referrer`, browsers would send forms of the page with the origin `null` (Fetch, "append a
      // request Origin header").
      .header('Referrer-Policy', 'same-origin')
      .header('Cache-Control', 'no-store')
      .header('Vary', 'Accept-Language')
      .send(content.markup)
  )
}

const css = readFileSync(new URL('./page.css', import.meta.url), 'utf8')
const style = new Html(`<style>${css}</style>`)
const styleHash = `sha256-${hash('sha256', css, 'base64')}`
