import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Another site, which shows embeds with the unmodified client. */
export interface EmbeddingSite {
  readonly url: string
  close(): Promise<void>
}

const client = readFileSync(fileURLToPath(import.meta.resolve('flat-embed')))

/**
 * The page of the site. `show(target, parameters)` makes an embed, and `heard` has the events to which it has subscribed, with
 * their parameters.
 */
const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Another site</title></head>
<body><div id="frame"></div>
<script type="module">
import Embed from '/client.mjs'
window.heard = []
window.show = (parameters, events = []) => {
  const frame = document.getElementById('frame')
  frame.replaceChildren()
  window.heard = []
  window.embed = new Embed(frame, { width: '900', height: '600', ...parameters })
  for (const event of events) window.embed.on(event, (value) => window.heard.push([event, value]))
}
window.Embed = Embed
</script></body></html>`

export async function embeddingSite(): Promise<EmbeddingSite> {
  const server: Server = createServer((request, response) => {
    const isClient = request.url === '/client.mjs'
    response.setHeader('Content-Type', isClient ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isClient ? client : page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Another port is another origin, but the same site. Another host name makes it another site as well.
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** What the script of the page defines. */
interface SiteWindow {
  show(parameters: object, events: readonly string[]): void
  readonly embed: Readonly<Record<string, (...parameters: unknown[]) => unknown>>
  readonly heard: readonly (readonly [event: string, parameters: unknown])[]
}

/** A page of the other site, with the client. */
export interface EmbeddingPage {
  readonly page: Page
  /** Makes an embed instead of the last one, and subscribes to events. */
  show(parameters: object, events?: readonly string[]): Promise<void>
  /** Calls a method of the client. */
  call<Result = unknown>(method: string, ...parameters: unknown[]): Promise<Result>
  /** Returns the message of the error with which a call is refused. */
  refusal(method: string, ...parameters: unknown[]): Promise<string>
  /** Returns the events that the page has received. */
  heard(): Promise<SiteWindow['heard']>
  /** Returns the length and the first bytes of an answer, as text. */
  bytes(method: string, ...parameters: unknown[]): Promise<{ length: number; start: string }>
}

/** @param baseUrl the address of the embeds */
export async function embeddingPage(
  page: Page,
  site: EmbeddingSite,
  baseUrl: string,
): Promise<EmbeddingPage> {
  await page.goto(site.url)
  await page.waitForFunction('window.show')
  const call: EmbeddingPage['call'] = (method, ...parameters) =>
    page.evaluate(([name, given]) => (globalThis as never as SiteWindow).embed[name]?.(...given) as never, [
      method,
      parameters,
    ] as const)
  return {
    page,
    show: (parameters, events = []) =>
      page.evaluate(([given, names]) => (globalThis as never as SiteWindow).show(given, names), [
        { baseUrl, ...parameters },
        events,
      ] as const),
    call,
    refusal: (method, ...parameters) =>
      call(method, ...parameters).then(
        () => 'no error',
        (error: Error) => error.message.split('\n')[0]?.replace(/^page\.evaluate: (?:Error: )?/, '') ?? '',
      ),
    heard: () => page.evaluate(() => (globalThis as never as SiteWindow).heard),
    bytes: (method, ...parameters) =>
      page.evaluate(
        async ([name, given]) => {
          const answer = (await (globalThis as never as SiteWindow).embed[name]?.(...given)) as Uint8Array
          return { length: answer.length, start: String.fromCharCode(...answer.slice(0, 8)) }
        },
        [method, parameters] as const,
      ),
  }
}
