import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { Html, html } from './html.ts'
import type { Texts } from '../texts/texts.ts'

export interface Page {
  title: string
  /** What stands below the title. */
  main: Html
  /** What stands above it: where else one can go. */
  navigation?: Html | undefined
  /** Where forms of the page may lead beside this site: origins, or schemes with their colon. */
  formTargets?: readonly string[]
}

/**
 * Sends a small page of ours: it runs no script, loads nothing but pictures of this server, is framed by nobody, kept by
 * nobody, and tells nobody from where one comes.
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
      // Not `no-referrer`, with which forms of the page would be sent from the origin `null` (Fetch, "append a request Origin header").
      .header('Referrer-Policy', 'same-origin')
      .header('Cache-Control', 'no-store')
      .header('Vary', 'Accept-Language')
      .send(content.markup)
  )
}

const css = `
:root { color-scheme: light dark; --line: light-dark(#767676, #8c8c8c); --quiet: light-dark(#555, #b5b5b5);
  --ink: light-dark(#1b1b1b, #ededed); --paper: light-dark(#fff, #191919); --sheet: light-dark(#f3f3f0, #262626);
  --accent: light-dark(#1f4e8c, #9cc4ff); --on-accent: light-dark(#fff, #10233c); --wrong: light-dark(#a11, #ff9d9d) }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
header { border-bottom: 1px solid var(--line); padding: 0.6rem 1.25rem }
header nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; align-items: center; max-width: 41.5rem; margin: auto }
header form { margin-left: auto }
main { max-width: 44rem; margin: 0 auto; padding: 6vh 1.25rem 4rem }
form { max-width: 28rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1.2rem } h2 { font-size: 1.2rem; margin: 2.4rem 0 0.6rem }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600 }
.hint { color: var(--quiet); margin: 0 0 0.25rem } form + .hint, section + .hint { margin-top: 1.2rem }
legend { font-weight: 600 }
input:not([type=checkbox]), select, textarea { width: 100%; min-height: 2.75rem; padding: 0.4rem 0.6rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--line); border-radius: 0.3rem }
textarea { min-height: 5rem }
input[type=checkbox], input[type=radio] { width: 1.2rem; height: 1.2rem; min-height: 0; margin: 0 0.6rem 0 0; flex: none }
fieldset { border: 1px solid var(--line); border-radius: 0.3rem; margin: 1rem 0; padding: 0.4rem 1rem 0.8rem }
fieldset label { display: flex; align-items: center; margin: 0.4rem 0; font-weight: 400 }
button { min-height: 2.75rem; padding: 0.4rem 1.3rem; margin-top: 1.2rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 0.3rem }
button.second { color: var(--accent); background: none }
td button, header button { margin: 0; min-height: 2rem; padding: 0.1rem 0.8rem }
.buttons { display: flex; flex-wrap: wrap; gap: 0 0.8rem }
.notice, .wrong { padding: 0.7rem 1rem; background: var(--sheet); border-left: 0.3rem solid var(--accent) }
.wrong { border-color: var(--wrong) }
.secret { font: 1rem/1.4 ui-monospace, monospace; user-select: all; background: var(--sheet); padding: 0.6rem }
.logo { width: 4rem; height: 4rem; object-fit: contain; border-radius: 0.5rem; background: #fff }
table { width: 100%; border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.8rem 0.5rem 0;
  border-bottom: 1px solid var(--line) }
@media (max-width: 34rem) { table, tbody, tr, td { display: block } thead { position: absolute; clip-path: inset(50%) }
  th { display: block; border: 0; padding: 0.15rem 0 } tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0 }
  td { border: 0; padding: 0.15rem 0 } td[data-label]::before { content: attr(data-label) ": "; color: var(--quiet) } }
`
const style = new Html(`<style>${css}</style>`)
const styleHash = `sha256-${hash('sha256', css, 'base64')}`
