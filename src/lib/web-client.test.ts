import { EventEmitter } from 'node:events'
import type { get, RequestOptions } from 'node:https'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type Outside, WebError, webClient } from './web-client.ts'

interface Given {
  status?: number
  location?: string
  body?: string
}

/** The outside: whose addresses are these, and what is answered where. What was asked, in order. */
function web(addresses: Record<string, string[]>, answers: Record<string, Given>) {
  const asked: string[] = []
  const lookUpAll: Outside['lookUpAll'] = (host, done) =>
    done(
      null,
      (addresses[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  const answer = (url: URL, options: RequestOptions, respond: (response: unknown) => void) => {
    const request = new EventEmitter()
    options.lookup?.(url.hostname, { all: true }, (error) => {
      if (error) return void setImmediate(() => request.emit('error', error))
      asked.push(url.href)
      const { status = 200, location, body = '{}' } = answers[url.href] ?? { status: 404 }
      const response = new PassThrough()
      respond(Object.assign(response, { statusCode: status, headers: { location } }))
      response.end(body)
    })
    return request
  }
  return { client: webClient({ lookUpAll, get: answer as unknown as typeof get }), asked }
}

const hosts = ['one.example', 'two.example']
const publicly = { 'one.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'], 'two.example': ['1.1.1.1'] }

describe('the web client', () => {
  it('reads JSON, also where a redirect leads', async () => {
    const { client, asked } = web(publicly, {
      'https://one.example/a': { status: 302, location: 'https://two.example/b' },
      'https://two.example/b': { body: '{"title":"A"}' },
    })
    expect(await client.getJson('https://one.example/a', hosts)).toEqual({ title: 'A' })
    expect(asked).toEqual(['https://one.example/a', 'https://two.example/b'])
  })

  it.each([
    'http://one.example/',
    'https://one.example:8443/',
    'https://user:secret@one.example/',
    'https://other.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'file:///etc/passwd',
  ])('does not ask %s, nor by a redirect', async (address) => {
    const { client, asked } = web(publicly, { 'https://one.example/': { status: 301, location: address } })
    await expect(client.getJson(address, hosts)).rejects.toBeInstanceOf(WebError)
    expect(asked).toEqual([])
    await expect(client.getJson('https://one.example/', hosts)).rejects.toBeInstanceOf(WebError)
    expect(asked).toEqual(['https://one.example/'])
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
  ])('connects to no name that is at %s, whatever else it is at', async (address) => {
    const { client, asked } = web({ 'one.example': ['93.184.216.34', address] }, {})
    const found = client.getJson('https://one.example/', hosts)
    await expect(found).rejects.toMatchObject({ name: 'WebError', isPassing: false })
    expect(asked).toEqual([])
  })

  it('does not connect to this machine itself', async () => {
    const found = webClient().getJson('https://localhost/', ['localhost'])
    await expect(found).rejects.toThrow('which is not on the public web')
  })

  it('gives up what leads on and on, is too long, or is no JSON', async () => {
    const { client, asked } = web(publicly, {
      'https://one.example/round': { status: 302, location: '/round' },
      'https://one.example/long': { body: JSON.stringify('x'.repeat(300_000)) },
      'https://one.example/page': { body: '<html>' },
    })
    for (const path of ['round', 'long', 'page', 'none']) {
      const found = client.getJson(`https://one.example/${path}`, hosts)
      await expect(found).rejects.toMatchObject({ name: 'WebError', isPassing: false })
    }
    expect(asked.filter((address) => address.endsWith('/round'))).toHaveLength(4)
  })

  it('says what may pass', async () => {
    const { client } = web(publicly, { 'https://one.example/': { status: 503 } })
    await expect(client.getJson('https://one.example/', hosts)).rejects.toMatchObject({ isPassing: true })
    const nowhere = web({}, {}).client.getJson('https://one.example/', hosts)
    await expect(nowhere).rejects.toMatchObject({ isPassing: true })
  })
})
