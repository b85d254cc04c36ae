import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import Negotiator from 'negotiator'
import {
  type AppAddress,
  accessTo,
  appAddresses,
  appFolders,
  movedPages,
  type PageAccess,
} from '../contract/app-pages.ts'
import { filledPath } from '../contract/filled-path.ts'
import type { Display } from '../contract/account.ts'
import { fail } from '../errors.ts'
import { findDisplay } from '../features/teaching/simple-pages/store.ts'
import { type Html, html } from '../http/html.ts'
import { htmlHeaders, type PageResponse, pageRoute } from '../http/page.ts'
import { barrierTo, redirectTo } from '../auth/pages/pages.ts'
import { findSessionUser } from '../auth/sessions/session-user.ts'
import type { Context } from '../context.ts'
import { routerPath } from '../lib/path-template.ts'
import type { Texts } from '../texts/catalogue.ts'
import { textsFor } from '../texts/texts.ts'
import { type Asset, type PageFiles, readBuild, rootFiles } from './app-build.ts'
import { embedPages } from './embed-pages.ts'
import { notBuiltPage } from './not-built-page.ts'
import { scorePreview } from './score-preview.ts'
import { answerToProgram, startPage } from './start-page.ts'

/** The route of the page of a score. */
const scorePath = routerPath('/scores/{score}')
type ScoreRoute = { Params: { score: string }; Querystring: { sharingKey?: string } }

/**
 * Serves the browser app: the HTML at the address of each page, and its scripts and styles.
 * @param folder the output of `npm run build`, by default in its usual place
 */
export async function browserApp(server: FastifyInstance, ctx: Context, folder?: string): Promise<void> {
  const build = await readBuild(folder)
  const { recordingOrigins } = ctx.config

  const serve = (path: string, status: number, access: PageAccess, address?: AppAddress) =>
    pageRoute<ScoreRoute>(server, 'GET', path, async (request) => {
      const isStart = path === '/'
      const forProgram = isStart ? answerToProgram(ctx, request.headers) : undefined
      if (forProgram) return forProgram
      const texts = textsFor(request.headers)
      const sessionUser = await findSessionUser(ctx, request.headers)
      if (isStart && !sessionUser) return startPage(ctx, texts)
      const barrier = barrierTo(ctx, request, sessionUser, access)
      if (barrier) return barrier
      if (!build) return notBuiltPage(texts)
      const isSignedIn = sessionUser !== undefined
      const files = build.filesOf(address, texts.language)
      const display = sessionUser && (await findDisplay(ctx.db.read, sessionUser.user.id))
      if (path !== scorePath)
        return appResponse(texts, build.page, { status, isSignedIn, display, files, recordingOrigins })
      const { params, query } = request
      const { isVisible, head } = await scorePreview(ctx, params.score, query.sharingKey)
      // The app asks again as the signed-in user, who may see more.
      return appResponse(texts, build.page, {
        status: isVisible || isSignedIn ? 200 : 404,
        isSignedIn,
        display,
        files,
        head,
        recordingOrigins,
      })
    })
  for (const address of appAddresses) serve(routerPath(address), 200, accessTo(address), address)
  for (const folder of appFolders) serve(`${folder}/*`, 404, accessTo(folder))
  for (const [address, target] of Object.entries(movedPages)) {
    pageRoute<{ Params: Record<string, string> }>(server, 'GET', routerPath(address), ({ params, url }) =>
      redirectTo(ctx, filledPath(target, params) + /\?.*|$/.exec(url)?.[0]),
    )
  }

  embedPages(server, ctx, build?.embed)

  const serveFile = (
    path: string,
    find: (name: string) => Asset | undefined,
    headers: Readonly<Record<string, string>>,
  ) =>
    server.get<{ Params: { name?: string } }>(path, async (request, reply) => {
      const asset = find(request.params.name ?? '')
      if (!asset) fail('NOT_FOUND')
      reply.type(asset.mediaType).headers(headers).header('Vary', 'Accept-Encoding')
      const accepted = new Negotiator(request).encodings(['br', 'gzip'])
      if (accepted.includes('br')) return reply.header('Content-Encoding', 'br').send(await asset.brotli())
      if (accepted.includes('gzip'))
        return reply.header('Content-Encoding', 'gzip').send(await asset.gzipped())
      return reply.send(asset.plain)
    })
  // The name has a hash of the content, so the content of a name never changes.
  serveFile('/assets/:name', (name) => build?.assets.get(name), {
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
  for (const name of rootFiles) {
    serveFile(`/${name}`, () => build?.rootFiles.get(name), {
      'Cache-Control': 'no-cache',
      // The service worker sends requests to this server only.
      'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
      'X-Content-Type-Options': 'nosniff',
    })
  }
}

/**
 * Returns the HTML of the app. Its policy allows scripts, styles and requests of this server only, pictures that the app has
 * requested itself (`blob:`), and recordings of the origins that the operator allows.
 */
function appResponse(
  { language, text }: Texts,
  page: string,
  {
    status,
    isSignedIn,
    display,
    files,
    head,
    recordingOrigins,
  }: {
    status: number
    isSignedIn: boolean
    display: Display | undefined
    files: PageFiles
    head?: Html | undefined
    recordingOrigins: readonly string[]
  },
): PageResponse {
  // React Aria adds two style elements when it first needs them. They carry this nonce.
  const nonce = randomBytes(16).toString('base64')
  const mediaOrigins = recordingOrigins.map((origin) => ` ${origin}`).join('')
  const content = page
    .replace(
      '<html lang="en">',
      `<html lang="${language}"${isSignedIn ? '' : ' data-visitor'}${marksOf(display)}>`,
    )
    .replace('This page needs JavaScript.', html`${text('app.noScript')}`.markup)
    .replaceAll('NONCE', nonce)
    .replace('</head>', () => `${preloads(files)}${stylesOf(display, nonce)}${head?.markup ?? ''}</head>`)
  return {
    status,
    headers: htmlHeaders(
      `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' blob:; media-src 'self' blob:${mediaOrigins}; connect-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    ),
    content,
  }
}

/** Returns the attributes by which the app knows at its start how to show the pages. */
const marksOf = (display: Display | undefined): string => (display?.simplePages ? ' data-simple' : '')

const simplePages = readFileSync(new URL('./simple-pages.css', import.meta.url), 'utf8')

/** Returns the styles that only some users get. */
const stylesOf = (display: Display | undefined, nonce: string): string =>
  display?.simplePages ? `<style nonce="${nonce}">${simplePages}</style>` : ''

/** Returns the tags by which the browser loads the files of the page now, and not only when the script of the frame asks for them. */
const preloads = ({ scripts, styles }: PageFiles): string =>
  [
    ...scripts.map((name) => html`<link rel="modulepreload" crossorigin href="/assets/${name}">`),
    ...styles.map((name) => html`<link rel="stylesheet" crossorigin href="/assets/${name}">`),
  ]
    .map(({ markup }) => markup)
    .join('')
