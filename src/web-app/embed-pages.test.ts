import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../test/support/app.ts'
import { checkBuild } from '../../test/support/built-app.ts'
import { usingDatabases } from '../../test/support/databases.ts'
import { musicXml } from '../../test/support/scores.ts'
import { signedIn } from '../../test/support/sessions.ts'
import { expectValidHtml } from '../../test/support/valid-html.ts'

const site = 'https://school.example'

const described = (response: Response) => response.json() as Promise<Record<string, string>>

describe('the page of an embed', () => {
  checkBuild()
  const app = useApp(usingDatabases('sqlite'))
  const limited = useApp(usingDatabases('sqlite'), { embedSites: site })
  let owner: Person
  const add = async (privacy: string, title = 'Nocturne'): Promise<{ id: string; sharingKey: string }> =>
    (await owner.post('/scores', { data: musicXml({ title, composer: 'Fanny' }), privacy })).body
  beforeAll(async () => {
    owner = await app.person('fanny')
  })
  const open = (path: string, headers: Record<string, string> = {}) => fetch(`${app.url}${path}`, { headers })

  it('can be framed by any site, and loads files of this server only', async () => {
    const { id } = await add('public', 'A & "B" </script> $&')
    const response = await open(`/embed/${id}`)
    const policy = (response.headers.get('content-security-policy') ?? '').split('; ')
    expect([response.status, response.headers.get('x-frame-options')]).toEqual([200, null])
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "connect-src 'self'", "frame-ancestors 'self' *"]),
    )
    expect(policy.join(' ')).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|data:/)
    const text = await response.text()
    expect(text).toContain('<title>A &amp; &quot;B&quot; &lt;/script&gt; $&amp;</title>')
    expect(text).toContain(`data-score="${id}"`)
    await expectValidHtml(text)
  })

  it.each(['/embed', '/embed/blank'])('shows no score at %s', async (path) => {
    const response = await open(path)
    expect([response.status, (await response.text()).includes('data-score=""')]).toEqual([200, true])
  })

  it('can be framed only by the sites of EMBED_SITES', async () => {
    const response = await fetch(`${limited.url}/embed/blank`)
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${site}`)
  })

  it('is refused and cannot be framed for a private score, also with the session of its owner', async () => {
    const hidden = await add('private')
    const link = await add('privateLink')
    const [name, value] = [...(await signedIn(app, owner)).cookies].flat()
    for (const id of [hidden.id, link.id, '0123456789abcdef01234567', 'no-id', '%00']) {
      const response = await open(`/embed/${id}`, { Cookie: `${name}=${value}` })
      expect([response.status, response.headers.get('x-frame-options')]).toEqual([404, 'DENY'])
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(await response.text()).not.toContain('Nocturne')
    }
    const withKey = await open(`/embed/${link.id}?sharingKey=${link.sharingKey}`)
    expect([withKey.status, withKey.headers.get('x-frame-options')]).toEqual([200, null])
  })

  it('is in the language of its address', async () => {
    const text = await (await open('/embed/blank?locale=fr-CA', { 'Accept-Language': 'de' })).text()
    expect(text).toContain('<html lang="fr">')
    expect(text).toContain('Aucune partition')
  })

  describe('described for oEmbed', () => {
    const describeUrl = (url: string, more = '') => open(`/oembed?url=${encodeURIComponent(url)}${more}`)

    it('has a frame, its size and a picture, and the page of the score names its address', async () => {
      const { id } = await add('public')
      const page = await (await open(`/scores/${id}`)).text()
      const [, address = ''] = /application\/json\+oembed" href="([^"]*)"/.exec(page) ?? []
      const response = await fetch(address.replaceAll('&amp;', '&'))
      const description = await described(response)
      expect(description).toMatchObject({
        ...{
          version: '1.0',
          type: 'rich',
          title: 'Nocturne',
          author_name: 'fanny',
          provider_name: 'Partita',
        },
        ...{ width: 800, height: 600, thumbnail_width: 472, thumbnail_height: 354 },
      })
      expect(description.html).toContain(`src="${app.url}/embed/${id}"`)
      expect((await fetch(description.thumbnail_url ?? '')).headers.get('content-type')).toBe('image/png')
      const small = await described(
        await describeUrl(`${app.url}/embed/${id}`, '&maxwidth=300&maxheight=200'),
      )
      expect([small.width, small.height]).toEqual([300, 200])
    })

    it('is XML on request, and nothing else', async () => {
      const { id } = await add('public', 'A & B')
      const xml = await describeUrl(`${app.url}/scores/${id}`, '&format=xml')
      expect(xml.headers.get('content-type')).toBe('text/xml; charset=utf-8')
      expect(await xml.text()).toContain('<title>A &amp; B</title>')
      expect((await describeUrl(`${app.url}/scores/${id}`, '&format=yaml')).status).toBe(501)
    })

    it('needs the key of a link, and finds no private score and no address of another server', async () => {
      const link = await add('privateLink')
      const withKey = await describeUrl(`${app.url}/scores/${link.id}?sharingKey=${link.sharingKey}`)
      expect((await described(withKey)).html).toContain(`sharingKey=${link.sharingKey}`)
      const { id } = await add('public')
      const hidden = await add('private')
      const others = [
        `${app.url}/scores/${link.id}`,
        `${app.url}/scores/${hidden.id}`,
        `${site}/scores/${id}`,
        'x',
        '',
      ]
      for (const url of others) expect([url, (await describeUrl(url)).status]).toEqual([url, 404])
    })
  })
})
