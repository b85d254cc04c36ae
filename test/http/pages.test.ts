import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Failure } from '../../src/errors.ts'
import { operations } from '../../src/operations.ts'
import { useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'
import { expectValidHtml } from '../support/valid-html.ts'

const databases = usingDatabases('sqlite')
const app = useApp(databases)
const behindTls = useApp(databases, { publicUrl: 'https://scores.example.org', trustProxy: '127.0.0.1' })
afterEach(() => {
  vi.restoreAllMocks()
})

const page = async (path: string) => {
  const response = await fetch(app.url + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('every response', () => {
  const headersOf = async (url: string) =>
    Promise.all(
      ['/v2/me', '/auth/signin', '/healthz', '/nothing'].map(
        async (path) => (await fetch(url + path)).headers,
      ),
    )

  it('forbids content sniffing', async () => {
    for (const headers of await headersOf(app.url))
      expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('has Strict-Transport-Security only if the public URL is https', async () => {
    for (const headers of await headersOf(`http://127.0.0.1:${behindTls.ctx.config.port}`)) {
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    }
    for (const headers of await headersOf(app.url))
      expect(headers.has('strict-transport-security')).toBe(false)
  })
})

describe('the start of the server', () => {
  it('leads people to the sign-in and the documentation, in their language', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': 'de' }
    const response = await fetch(app.url, { headers })
    const text = await response.text()
    expect(response.status).toBe(200)
    expectValidHtml(text)
    expect(text).toContain('lang="de"')
    for (const path of ['/auth/signin', '/docs', '/v2/openapi.json']) {
      expect(text).toContain(`href="${path}"`)
      expect((await page(path)).status).toBe(200)
    }
  })

  it.each(['/', '/v2'])(
    'leads programs at %s to the OpenAPI document and the authorization server',
    async (path) => {
      const index = JSON.parse((await page(path)).text)
      expect(index).toMatchObject({ name: 'Partita', account: `${app.url}/v2/me` })
      const { openapi, documentation, authorizationServer } = index
      for (const url of [openapi, documentation, authorizationServer])
        expect((await fetch(url)).status).toBe(200)
      const { info } = (await (await fetch(openapi)).json()) as { info: { version: string } }
      expect(info.version).toBe(index.interfaceVersion)
    },
  )
})

describe('health checks', () => {
  it('/healthz reports liveness and /readyz reports readiness', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await page(path)).status).toBe(200)
  })

  it('/readyz is 503 while the database is unavailable, and /healthz is not', async () => {
    app.expectLog(/DATABASE_UNAVAILABLE/)
    vi.spyOn(app.ctx.db, 'ping').mockRejectedValue(new Failure('DATABASE_UNAVAILABLE'))
    const { status, text } = await page('/readyz')
    expect([status, JSON.parse(text).code]).toEqual([503, 'DATABASE_UNAVAILABLE'])
    expect((await page('/healthz')).status).toBe(200)
  })
})

describe('/v2/openapi.json', () => {
  it('is an OpenAPI 3.0.3 document of exactly the implemented operations', async () => {
    const { headers, text } = await page('/v2/openapi.json')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const document = JSON.parse(text)
    expect(document.openapi).toBe('3.0.3')
    expect(document.servers).toEqual([{ url: `${app.url}/v2` }])
    const listed: Record<string, string> = {}
    for (const [path, item] of Object.entries<Record<string, { operationId: string }>>(document.paths)) {
      for (const [method, { operationId }] of Object.entries(item))
        listed[operationId] = `${method.toUpperCase()} ${path}`
    }
    const built: Record<string, string> = {}
    for (const { id, method, alsoMethod, path } of Object.values(operations)) {
      built[id] = `${method} ${path}`
      if (alsoMethod) built[`${id}By${alsoMethod}`] = `${alsoMethod} ${path}`
    }
    expect(listed).toEqual(built)
  })

  it('resolves all its references', async () => {
    const { text } = await page('/v2/openapi.json')
    const document = JSON.parse(text)
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(10)
    for (const [, kind = '', name = ''] of references) expect(document.components[kind][name]).toBeDefined()
    expect(text.match(/"\$ref"/g)).toHaveLength(references.length)
  })
})

describe('/docs', () => {
  it('is a page whose viewer comes from this server, without external URLs', async () => {
    const { status, headers, text } = await page('/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(2)
    for (const address of addresses) {
      expect(address).toMatch(/^\/(?!\/)/)
      expect((await page(address)).status).toBe(200)
    }
    expect((await page('/docs/reference.js')).text).not.toMatch(/https?:|\/\/[a-z]/)
  })

  it('forbids loading content from other origins', async () => {
    const policy = (await page('/docs')).headers.get('content-security-policy')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:|\*/)
  })

  it.each([
    '/docs/viewer/..%2f..%2fpackage.json',
    '/docs/viewer/%2e%2e/%2e%2e/package.json',
    '/docs/viewer/%00',
    '/docs/viewer/none',
  ])('serves no other file at %s', async (path) => {
    const { status, text } = await page(path)
    expect([400, 404]).toContain(status)
    expect(JSON.parse(text)).toMatchObject({ code: expect.any(String), message: expect.any(String) })
  })
})

describe('the page of a score', () => {
  let score: string
  beforeAll(async () => {
    const otto = await app.person('otto')
    const { body } = await otto.post('/scores', { data: musicXml({ title: '<script>alert(1)</script>' }) })
    score = body.id
    expect(body.htmlUrl).toBe(`${app.url}/scores/${score}`)
  })

  it('is the same for a missing score as for an existing one', async () => {
    const withoutNonces = (text: string) => text.replaceAll(/ nonce="[^"]*"/g, '')
    const known = await page(`/scores/${score}`)
    const missing = await page('/scores/0123456789abcdef01234567')
    expect(known.status).toBe(missing.status)
    expect(withoutNonces(known.text)).toBe(withoutNonces(missing.text))
    expect(known.text).not.toContain('alert')
  })

  it('is valid HTML that no other site can frame', async () => {
    const { headers, text } = await page(`/scores/${score}`)
    await expectValidHtml(text)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})
