import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { accountPages } from '../contract/account-pages.ts'
import { fail } from '../errors.ts'
import type { Asker } from '../http/asker.ts'
import { html } from '../http/html.ts'
import { sendPage } from '../http/page.ts'
import { findVisitor } from '../http/session.ts'
import { sendNotByLink, toSignIn } from '../oauth/pages.ts'
import type { Context } from '../operation.ts'
import { textsFor } from '../texts/texts.ts'

/** What the browser app is made of once it is built: `web/` by `npm run build`, at the installation. */
interface Build {
  /** With NONCE where what belongs to one answer stands. */
  readonly page: string
  readonly assets: ReadonlyMap<string, Asset>
}

interface Asset {
  readonly mediaType: string
  readonly plain: Buffer
  /** Made when it is first asked for. */
  gzipped(): Promise<Buffer>
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const buildFolder = join(import.meta.dirname, '../../web/dist')

/** The pages of one's account, which an app in the browser shows. */
export async function browserApp(server: FastifyInstance, ctx: Context, folder = buildFolder): Promise<void> {
  const build = await readBuild(folder)

  for (const url of accountPages) {
    server.get(url, async (request, reply) => {
      const visitor = await findVisitor(ctx, request.headers)
      if (!visitor) return toSignIn(reply, ctx, request.url)
      if (visitor.isByLink) return sendNotByLink(request, reply, visitor, request.url)
      return build ? sendApp(request, reply, build.page) : sendNotBuilt(request, reply)
    })
  }

  server.get<{ Params: { name: string } }>('/account/assets/:name', async (request, reply) => {
    const asset = build?.assets.get(request.params.name)
    if (!asset) fail('NOT_FOUND')
    // Its name is another one where its content is.
    reply
      .type(asset.mediaType)
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Vary', 'Accept-Encoding')
    const isGzipped = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip'
    if (!isGzipped) return reply.send(asset.plain)
    return reply.header('Content-Encoding', 'gzip').send(await asset.gzipped())
  })
}

/** Undefined where there is none. */
async function readBuild(folder: string): Promise<Build | undefined> {
  try {
    const page = await readFile(join(folder, 'index.html'), 'utf8')
    const names = await readdir(join(folder, 'assets'))
    const assets = await Promise.all(
      names.map(async (name) => [name, asset(name, await readFile(join(folder, 'assets', name)))] as const),
    )
    return { page, assets: new Map(assets) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function asset(name: string, plain: Buffer): Asset {
  let gzipped: Promise<Buffer> | undefined
  return {
    mediaType: mediaTypes[extname(name)] ?? 'application/octet-stream',
    plain,
    gzipped() {
      gzipped ??= promisify(gzip)(plain, { level: 9 })
      return gzipped
    },
  }
}

/** The page loads what belongs to it from this server, and speaks with nobody else. */
function sendApp({ headers }: Asker, reply: FastifyReply, page: string): FastifyReply {
  const { language, text } = textsFor(headers)
  // For the few styles that components write when they are first shown.
  const nonce = randomBytes(16).toString('base64')
  const content = page
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('This page needs JavaScript.', html`${text('app.noScript')}`.markup)
    .replaceAll('NONCE', nonce)
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    .header('X-Frame-Options', 'DENY')
    .header('Referrer-Policy', 'same-origin')
    .header('Cache-Control', 'no-store')
    .header('Vary', 'Accept-Language')
    .send(content)
}

function sendNotBuilt({ headers }: Asker, reply: FastifyReply): FastifyReply {
  const texts = textsFor(headers)
  return sendPage(reply.status(503), texts, {
    title: texts.text('app.notBuilt'),
    main: html`<p>${texts.text('app.notBuiltWhy')}</p>
<p><code>npm run build</code></p>`,
  })
}
