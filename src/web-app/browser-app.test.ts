import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../test/support/app.ts'
import { browserAt } from '../../test/support/browser.ts'
import { usingDatabases } from '../../test/support/databases.ts'
import { signedIn } from '../../test/support/sessions.ts'
import { makeSchool, type School } from '../../test/support/school.ts'
import { expectValidHtml } from '../../test/support/valid-html.ts'
import { accessTo, appAddresses } from '../contract/app-pages.ts'
import { browserApp } from './browser-app.ts'

const script = `${'// a script of some length\n'.repeat(100)}export const x = 1\n`
const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Partita</title>
<meta property="csp-nonce" nonce="NONCE">
<link rel="stylesheet" nonce="NONCE" href="/assets/index-1.css">
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`

/** What Vite writes about its output. */
const manifest = {
  'index.html': { file: 'assets/index-2.js', imports: ['_react.js'], css: ['assets/index-1.css'] },
  '_react.js': { file: 'assets/react-3.js' },
  '_table.js': {
    file: 'assets/table-4.js',
    imports: ['_react.js', 'index.html'],
    css: ['assets/table-5.css'],
  },
  'src/features/members/pages.ts': { file: 'assets/members-6.js', imports: ['_react.js', '_table.js'] },
  '../virtual:texts-en-frame': { file: 'assets/texts-en-frame-7.js' },
  '../virtual:texts-en-members': { file: 'assets/texts-en-members-8.js' },
  '../virtual:texts-fr-frame': { file: 'assets/texts-fr-frame-9.js' },
}

describe('the browser app', () => {
  const app = useApp(usingDatabases('sqlite'))
  const servers: FastifyInstance[] = []
  let people: School
  let folder: string
  let cookie: string
  /** A server with a build of three files. */
  let url: string
  /** A server without a build. */
  let unbuilt: string

  beforeAll(async () => {
    people = await makeSchool(app)
    const [name, value] = [...(await signedIn(app, people.tess)).cookies].flat()
    cookie = `${name}=${value}`
    folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
    await mkdir(join(folder, 'assets'))
    await mkdir(join(folder, '.vite'))
    await writeFile(join(folder, 'index.html'), page)
    await writeFile(join(folder, 'embed.html'), page)
    await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'service-worker.js'), '// service worker')
    await writeFile(join(folder, 'manifest.webmanifest'), '{}')
    await writeFile(join(folder, 'assets/index-1.css'), 'p { color: red }')
    await writeFile(join(folder, 'assets/index-2.js'), script)
    url = await serverOf(folder)
    unbuilt = await serverOf(join(folder, 'nothing'))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    await rm(folder, { recursive: true, force: true })
  })

  async function serverOf(build: string, recordingOrigins: readonly string[] = []): Promise<string> {
    const server = Fastify()
    servers.push(server)
    const ctx = { ...app.ctx, config: { ...app.ctx.config, recordingOrigins } }
    await browserApp(server as unknown as FastifyInstance, ctx, build)
    return server.listen({ port: 0, host: '127.0.0.1' })
  }
  const open = (at: string, path: string, headers: Record<string, string> = {}) =>
    fetch(at + path, { redirect: 'manual', headers: { Cookie: cookie, ...headers } })

  const pathOf = (address: string) => address.replaceAll(/[{}]/g, '')

  it.each(appAddresses)('%s answers a signed-in user with the app', async (address) => {
    const response = await open(url, pathOf(address), { Accept: 'text/html' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const text = await response.text()
    expect(text).not.toContain('data-visitor')
    await expectValidHtml(text)
  })

  const closed = appAddresses.filter((address) => address !== '/' && accessTo(address) !== 'everyone')
  it.each([...closed, '/scores/a/b', '/account/nothing'])('%s asks a visitor to sign in', async (address) => {
    const stranger = await browserAt(app.url).open(pathOf(address))
    expect(stranger.text).toContain('action="/auth/signin"')
    expect(stranger.text).toContain(`name="next" value="${pathOf(address)}"`)
  })

  it('answers a visitor with the app on the page of a score, and says in it that there is no session', async () => {
    const response = await fetch(`${url}/scores/0123456789abcdef01234567`)
    const text = await response.text()
    expect([response.status, text.includes('<html lang="en" data-visitor>')]).toEqual([404, true])
    await expectValidHtml(text)
  })

  it.each([
    ['/account/apps/5f', '/account/developer/apps/5f'],
    ['/account/new-score', '/scores/new'],
    ['/account/apps/5f?from=a%2Fb', '/account/developer/apps/5f?from=a%2Fb'],
  ])('leads from the earlier address %s to %s', async (path, target) => {
    const response = await open(url, path)
    expect([response.status, response.headers.get('location')]).toEqual([303, app.url + target])
  })

  it('opens the scores for a user who signed in with a link of another person, but not the account', async () => {
    const byLink = browserAt(app.url, { Accept: 'text/html' })
    const link = await people.ada.post(`/organizations/users/${people.tess.id}/signinLink`, {})
    await byLink.open(link.body.url, { method: 'POST', body: new URLSearchParams() })
    for (const path of ['/account', '/organization/members']) {
      const shown = await byLink.open(path)
      expect([shown.status, shown.text.includes('a link that another person created')]).toEqual([403, true])
    }
    const [session] = [...byLink.cookies].map(([name, value]) => `${name}=${value}`)
    for (const path of ['/', '/scores', '/scores/0123456789abcdef01234567']) {
      expect((await open(url, path, { Cookie: session ?? '', Accept: 'text/html' })).status).toBe(200)
    }
  })

  it('allows files of this server only, and no frames and no caching', async () => {
    const { headers } = await open(url, '/account')
    const policy = headers.get('content-security-policy') ?? ''
    const directives = policy.split('; ')
    for (const directive of [
      "default-src 'none'",
      // The decoder of the player's sounds is WebAssembly.
      "script-src 'self' 'wasm-unsafe-eval'",
      "connect-src 'self'",
      "img-src 'self' blob:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(directives).toContain(directive)
    }
    const rest = policy.replace(/'wasm-unsafe-eval'|img-src 'self' blob:|media-src 'self' blob:/g, '')
    expect(rest).not.toMatch(/unsafe|https?:|\*|data:|blob:/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('loads recordings of other servers only if the operator allows their origin', async () => {
    const policyOf = async (address: string) =>
      (await open(address, '/account')).headers.get('content-security-policy') ?? ''
    expect(await policyOf(url)).toContain("media-src 'self' blob:;")
    const allowed = await serverOf(folder, ['https://media.example'])
    expect(await policyOf(allowed)).toContain("media-src 'self' blob: https://media.example;")
  })

  it('sends a new nonce in each page and its policy', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await open(url, '/account')
        const [, nonce = ''] =
          /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? []
        const text = await response.text()
        expect(text.split(`nonce="${nonce}"`)).toHaveLength(3)
        expect(text).not.toContain('NONCE')
        return nonce
      }),
    )
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/)
    expect(nonces[0]).not.toBe(nonces[1])
  })

  it('sends the page in the language of the reader', async () => {
    const text = await (await open(url, '/account', { 'Accept-Language': 'fr-CH, en;q=0.5' })).text()
    expect(text).toContain('<html lang="fr">')
    expect(text).toContain('Cette page a besoin de JavaScript.')
  })

  it.each([
    [
      'en',
      '/organization/members',
      ['table-4.js', 'members-6.js', 'texts-en-members-8.js', 'texts-en-frame-7.js', 'table-5.css'],
    ],
    ['fr', '/account/nothing', ['texts-fr-frame-9.js']],
  ])(
    'names in the HTML (%s) the files that %s loads beside those of every page',
    async (language, path, names) => {
      const text = await (await open(url, path, { 'Accept-Language': language })).text()
      const links = [
        ...text.matchAll(/<link rel="(?:modulepreload|stylesheet)" crossorigin href="([^"]+)">/g),
      ]
      expect(links.map(([, link]) => link)).toEqual(names.map((name) => `/assets/${name}`))
    },
  )

  it('lets browsers cache scripts and styles forever', async () => {
    for (const [name, mediaType] of [
      ['index-1.css', 'text/css; charset=utf-8'],
      ['index-2.js', 'text/javascript; charset=utf-8'],
    ]) {
      const { status, headers } = await open(url, `/assets/${name}`)
      expect([status, headers.get('content-type')]).toEqual([200, mediaType])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  it.each([
    ['service-worker.js', 'text/javascript; charset=utf-8'],
    ['manifest.webmanifest', 'application/manifest+json'],
  ])(
    'asks browsers to check /%s each time, because its content changes with the build',
    async (name, type) => {
      const { status, headers } = await open(url, `/${name}`)
      expect([status, headers.get('content-type')]).toEqual([200, type])
      expect(headers.get('cache-control')).toBe('no-cache')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
      expect((await open(unbuilt, `/${name}`)).status).toBe(404)
    },
  )

  it('allows pages to load its manifest and its service worker', async () => {
    const policy = (await open(url, '/scores')).headers.get('content-security-policy')
    expect(policy).toContain("worker-src 'self'; ")
    expect(policy).toContain("manifest-src 'self'; ")
  })

  it.each([
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['gzip;q=0', null],
  ])('compresses files if Accept-Encoding allows it: %s', async (accepted, encoding) => {
    const response = await open(url, '/assets/index-2.js', { 'Accept-Encoding': accepted })
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      encoding,
      'Accept-Encoding',
    ])
    expect(await response.text()).toBe(script)
  })

  it.each(['nothing.js', '..%2findex.html', '%2e%2e%2f%2e%2e%2fpackage.json'])(
    'answers 404 for a file outside the build: %s',
    async (name) => {
      expect((await open(url, `/assets/${name}`)).status).toBe(404)
    },
  )

  it('names the command to run if it is not built', async () => {
    const response = await open(unbuilt, '/account')
    const text = await response.text()
    expect([response.status, text.includes('<code>npm run build</code>')]).toEqual([503, true])
    await expectValidHtml(text)
    expect((await open(unbuilt, '/assets/index-2.js')).status).toBe(404)
  })
})
