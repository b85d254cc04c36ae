import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../test/support/app.ts'
import { browserAt } from '../../test/support/browser.ts'
import { usingDatabases } from '../../test/support/databases.ts'
import { signedIn } from '../../test/support/oauth.ts'
import { makeSchool, type School } from '../../test/support/school.ts'
import { expectValidHtml } from '../../test/support/valid-html.ts'
import { accountPages } from '../contract/account-pages.ts'
import { browserApp } from './browser-app.ts'

const script = `${'// a script of some length\n'.repeat(100)}export const x = 1\n`
const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Partita</title>
<meta property="csp-nonce" nonce="NONCE">
<link rel="stylesheet" nonce="NONCE" href="/account/assets/index-1.css">
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`

describe('the pages of one’s account', () => {
  const app = useApp(usingDatabases('sqlite'))
  const servers: FastifyInstance[] = []
  let people: School
  let folder: string
  let cookie: string
  /** Serves a build of three files, and one that was never made. */
  let url: string
  let bare: string

  beforeAll(async () => {
    people = await makeSchool(app)
    const [name, value] = [...(await signedIn(app, people.tess)).cookies].flat()
    cookie = `${name}=${value}`
    folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), page)
    await writeFile(join(folder, 'assets/index-1.css'), 'p { color: red }')
    await writeFile(join(folder, 'assets/index-2.js'), script)
    url = await serverOf(folder)
    bare = await serverOf(join(folder, 'nothing'))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    await rm(folder, { recursive: true, force: true })
  })

  async function serverOf(build: string): Promise<string> {
    const server = Fastify()
    servers.push(server)
    await browserApp(server as unknown as FastifyInstance, app.ctx, build)
    return server.listen({ port: 0, host: '127.0.0.1' })
  }
  const open = (at: string, path: string, headers: Record<string, string> = {}) =>
    fetch(at + path, { redirect: 'manual', headers: { Cookie: cookie, ...headers } })

  it.each(accountPages)('%s is for who is signed in, and comes after signing in', async (path) => {
    const stranger = await browserAt(app.url).open(path)
    expect(stranger.text).toContain('action="/auth/signin"')
    expect(stranger.text).toContain(`name="next" value="${path}"`)
    const own = await open(url, path)
    expect([own.status, own.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    await expectValidHtml(await own.text())
  })

  it('are not for who was signed in by the link of somebody else', async () => {
    const byLink = browserAt(app.url)
    const link = await people.ada.post(`/organizations/users/${people.tess.id}/signinLink`, {})
    await byLink.open(link.body.url, { method: 'POST', body: new URLSearchParams() })
    const shown = await byLink.open('/account')
    expect([shown.status, shown.text.includes('Somebody else has made the link')]).toEqual([403, true])
  })

  it('load and run only what comes from this server, are framed by nobody, and kept by nobody', async () => {
    const { headers } = await open(url, '/account')
    const policy = headers.get('content-security-policy') ?? ''
    const directives = policy.split('; ')
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "img-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(directives).toContain(directive)
    }
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:|blob:/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('have a nonce that nobody knows before, and the same in the policy', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await open(url, '/account')
        const [, nonce = ''] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? []
        const text = await response.text()
        expect(text.split(`nonce="${nonce}"`)).toHaveLength(3)
        expect(text).not.toContain('NONCE')
        return nonce
      }),
    )
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/)
    expect(nonces[0]).not.toBe(nonces[1])
  })

  it('are in the language of the reader', async () => {
    const text = await (await open(url, '/account', { 'Accept-Language': 'fr-CH, en;q=0.5' })).text()
    expect(text).toContain('<html lang="fr">')
    expect(text).toContain('Cette page a besoin de JavaScript.')
  })

  it('are made of files that are kept for ever, because another content has another name', async () => {
    for (const [name, mediaType] of [
      ['index-1.css', 'text/css; charset=utf-8'],
      ['index-2.js', 'text/javascript; charset=utf-8'],
    ]) {
      const { status, headers } = await open(url, `/account/assets/${name}`)
      expect([status, headers.get('content-type')]).toEqual([200, mediaType])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  it.each([
    ['gzip, br', 'gzip'],
    ['identity', null],
    ['gzip;q=0', null],
  ])('are compressed for who takes it: %s', async (accepted, encoding) => {
    const response = await open(url, '/account/assets/index-2.js', { 'Accept-Encoding': accepted })
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      encoding,
      'Accept-Encoding',
    ])
    expect(await response.text()).toBe(script)
  })

  it.each(['nothing.js', '..%2findex.html', '%2e%2e%2f%2e%2e%2fpackage.json'])(
    'are made of nothing else: %s',
    async (name) => {
      expect((await open(url, `/account/assets/${name}`)).status).toBe(404)
    },
  )

  it('say what to run where they were not built', async () => {
    const response = await open(bare, '/account')
    const text = await response.text()
    expect([response.status, text.includes('<code>npm run build</code>')]).toEqual([503, true])
    await expectValidHtml(text)
    expect((await open(bare, '/account/assets/index-2.js')).status).toBe(404)
  })
})
