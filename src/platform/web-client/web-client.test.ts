import { EventEmitter } from 'node:events'
import type { RequestOptions } from 'node:http'
import { isIP } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { noAllowedHosts, parseAllowedHosts } from '../../lib/allowed-hosts.ts'
import { type Network, WebError, webClient } from './web-client.ts'

interface SimulatedResponse {
  status?: number
  location?: string
  body?: string
}

/** Creates a client on a simulated network. `requestedUrls` lists the requested URLs in order. */
function web(
  addresses: Record<string, string[]>,
  answers: Record<string, SimulatedResponse>,
  allowed = noAllowedHosts,
) {
  const requestedUrls: string[] = []
  const lookUpAll: Network['lookUpAll'] = (host, done) =>
    done(
      null,
      (addresses[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  const answer = (url: URL, options: RequestOptions, respond: (response: unknown) => void) => {
    const request = Object.assign(new EventEmitter(), { end: () => {} })
    const respondTo = (error: Error | null) => {
      if (error) return void setImmediate(() => request.emit('error', error))
      requestedUrls.push(url.href)
      const { status = 200, location, body = '{}' } = answers[url.href] ?? { status: 404 }
      const response = new PassThrough()
      respond(Object.assign(response, { statusCode: status, headers: { location } }))
      response.end(body)
    }
    // Like Node, does not look up an IP address.
    if (isIP(url.hostname)) respondTo(null)
    else options.lookup?.(url.hostname, { all: true }, respondTo)
    return request
  }
  return {
    client: webClient({ lookUpAll, request: answer as unknown as Network['request'] }, allowed),
    requestedUrls,
  }
}

const hosts = ['one.example', 'two.example']
const publicly = {
  'one.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'two.example': ['1.1.1.1'],
}

describe('the web client', () => {
  it('fetches JSON and follows redirects', async () => {
    const { client, requestedUrls } = web(publicly, {
      'https://one.example/a': { status: 302, location: 'https://two.example/b' },
      'https://two.example/b': { body: '{"title":"A"}' },
    })
    expect(await client.getJson('https://one.example/a', hosts)).toEqual({ title: 'A' })
    expect(requestedUrls).toEqual(['https://one.example/a', 'https://two.example/b'])
  })

  it.each([
    'http://one.example/',
    'https://one.example:8443/',
    'https://user:secret@one.example/',
    'https://other.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'file:///etc/passwd',
  ])('refuses %s, also as a redirect', async (address) => {
    const { client, requestedUrls } = web(publicly, {
      'https://one.example/': { status: 301, location: address },
    })
    await expect(client.getJson(address, hosts)).rejects.toBeInstanceOf(WebError)
    expect(requestedUrls).toEqual([])
    await expect(client.getJson('https://one.example/', hosts)).rejects.toBeInstanceOf(WebError)
    expect(requestedUrls).toEqual(['https://one.example/'])
  })

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    'nonsense',
  ])('does not connect to a name if one of its addresses is %s', async (address) => {
    const { client, requestedUrls } = web({ 'one.example': ['93.184.216.34', address] }, {})
    const result = client.getJson('https://one.example/', hosts)
    await expect(result).rejects.toMatchObject({ name: 'WebError', isPassing: false })
    expect(requestedUrls).toEqual([])
  })

  it('does not connect to this machine itself', async () => {
    const result = webClient().getJson('https://localhost/', ['localhost'])
    await expect(result).rejects.toThrow('which is not on the public web')
  })

  it('fails after too many redirects and for a response that is too long or not JSON', async () => {
    const { client, requestedUrls } = web(publicly, {
      'https://one.example/round': { status: 302, location: '/round' },
      'https://one.example/long': { body: JSON.stringify('x'.repeat(300_000)) },
      'https://one.example/page': { body: '<html>' },
    })
    for (const path of ['round', 'long', 'page', 'none']) {
      const result = client.getJson(`https://one.example/${path}`, hosts)
      await expect(result).rejects.toMatchObject({ name: 'WebError', isPassing: false })
    }
    expect(requestedUrls.filter((address) => address.endsWith('/round'))).toHaveLength(4)
  })

  it('marks errors that a later attempt may not have', async () => {
    const { client } = web(publicly, { 'https://one.example/': { status: 503 } })
    await expect(client.getJson('https://one.example/', hosts)).rejects.toMatchObject({ isPassing: true })
    const result = web({}, {}).client.getJson('https://one.example/', hosts)
    await expect(result).rejects.toMatchObject({ isPassing: true })
  })

  describe('send', () => {
    const inner = { 'sso.school.example': ['10.1.2.3'], 'meta.school.example': ['169.254.169.254'] }
    const post = { method: 'POST', headers: {}, body: 'a=1' }

    it('returns a response of any status and does not follow redirects', async () => {
      const { client, requestedUrls } = web(publicly, {
        'https://one.example:8443/token': { status: 400, body: '{"error":"no"}' },
        'https://one.example/moved': { status: 302, location: 'https://two.example/' },
      })
      const refused = await client.send('https://one.example:8443/token', post)
      expect([refused.status, await refused.json()]).toEqual([400, { error: 'no' }])
      expect((await client.send('https://one.example/moved', post)).status).toBe(302)
      expect(requestedUrls).toHaveLength(2)
    })

    it('connects to a private address only for the internal host', async () => {
      const { client, requestedUrls } = web(inner, { 'https://sso.school.example/token': {} })
      const ask = (internalHost?: string) =>
        client.send('https://sso.school.example/token', post, internalHost)
      for (const other of [undefined, 'other.example'])
        await expect(ask(other)).rejects.toBeInstanceOf(WebError)
      expect((await ask('sso.school.example')).status).toBe(200)
      const metadata = client.send('https://meta.school.example/', post, 'meta.school.example')
      await expect(metadata).rejects.toBeInstanceOf(WebError)
      expect(requestedUrls).toEqual(['https://sso.school.example/token'])
    })

    it.each([
      ['http://one.example/', undefined],
      ['http://one.example/', 'one.example'],
      ['http://sso.school.example/', 'sso.school.example'],
      ['https://127.0.0.1/', undefined],
      ['https://[::1]/', undefined],
      ['https://0x7f.1/', undefined],
      ['https://169.254.169.254/', '169.254.169.254'],
      ['http://10.1.2.3/', '10.1.2.3'],
      ['ftp://127.0.0.1/', '127.0.0.1'],
    ])('refuses %s if the internal host is %s', async (address, internalHost) => {
      const { client, requestedUrls } = web({ ...publicly, ...inner }, {})
      await expect(client.send(address, post, internalHost)).rejects.toBeInstanceOf(WebError)
      expect(requestedUrls).toEqual([])
    })

    it('connects to this machine by http only if it is the internal host', async () => {
      const { client, requestedUrls } = web({}, { 'http://127.0.0.1:8080/': { status: 201 } })
      expect((await client.send('http://127.0.0.1:8080/', post, '127.0.0.1')).status).toBe(201)
      await expect(client.send('http://127.0.0.1:8080/', post)).rejects.toBeInstanceOf(WebError)
      expect(requestedUrls).toHaveLength(1)
    })
  })

  describe('notify', () => {
    const addresses = {
      ...publicly,
      'inner.example': ['10.1.2.3'],
      'lms.example': ['10.9.9.9'],
      'mixed.example': ['93.184.216.34', '127.0.0.1'],
      'meta.example': ['169.254.169.254'],
    }
    const allowed = parseAllowedHosts('lms.example meta.example, 10.1.0.0/16 127.0.0.1')
    const post = { method: 'POST', headers: {}, body: '{}' }
    const ask = async (address: string, answer: SimulatedResponse = {}) => {
      const { client, requestedUrls } = web(addresses, { [address]: answer }, allowed)
      const result = await client.notify(address, post, 1000)
      return [result, requestedUrls]
    }

    it.each([
      'https://one.example/',
      'https://inner.example/',
      'http://lms.example/',
      'https://10.1.7.7/',
      'http://127.0.0.1/',
    ])('sends to %s', async (address) => {
      const result = { status: 200, retryAfter: undefined, start: 'yes' }
      expect(await ask(address, { body: 'yes' })).toEqual([result, [address]])
    })

    it.each([
      'http://one.example/',
      'http://inner.example/',
      'https://10.2.0.1/',
      'https://meta.example/',
      'https://169.254.169.254/',
      'https://[::1]/',
      'https://0x0a.2.0.1/',
      'https://user:secret@one.example/',
      'ftp://127.0.0.1/',
    ])('does not send to %s', async (address) => {
      await expect(ask(address)).rejects.toBeInstanceOf(WebError)
    })

    it('does not send to a name with one address that is not allowed', async () => {
      const { client } = web(addresses, {})
      await expect(client.notify('https://mixed.example/', post, 1000)).rejects.toBeInstanceOf(WebError)
    })

    it('follows no redirect and reads only the start of an answer', async () => {
      const [moved] = await ask('https://one.example/', { status: 302, location: 'https://two.example/' })
      expect(moved).toMatchObject({ status: 302, start: '' })
      const [long] = await ask('https://one.example/', { body: 'x'.repeat(2_000_000) })
      expect(long).toMatchObject({ status: 200, start: 'x'.repeat(1024) })
    })
  })
})
