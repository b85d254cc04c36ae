import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../test/support/app.ts'
import { browserAt } from '../../test/support/browser.ts'
import { usingDatabases } from '../../test/support/databases.ts'
import { musicXml } from '../../test/support/scores.ts'
import { signedIn } from '../../test/support/sessions.ts'
import { expectValidHtml } from '../../test/support/valid-html.ts'

describe('the HTML of the page of a score', () => {
  const app = useApp(usingDatabases('sqlite'))
  let owner: Person
  beforeAll(async () => {
    owner = await app.person('fanny')
  })
  const add = async (privacy: string, title = 'Nocturne'): Promise<{ id: string; sharingKey: string }> =>
    (await owner.post('/scores', { data: musicXml({ title, composer: 'Fanny' }), privacy })).body
  const open = (path: string) => browserAt(app.url).open(path)

  it('has tags for cards of a public score, whose picture every program can load', async () => {
    const { id } = await add('public', 'A & "B" $& NONCE')
    const { status, text } = await open(`/scores/${id}`)
    expect(status).toBe(200)
    expect(text).toContain('<meta property="og:title" content="A &amp; &quot;B&quot; $&amp; NONCE">')
    expect(text).toContain('<meta property="og:description" content="Fanny">')
    expect(text).toContain(`<link rel="canonical" href="${app.url}/scores/${id}">`)
    await expectValidHtml(text)
    const [, picture = ''] = /og:image" content="([^"]*)"/.exec(text) ?? []
    const response = await fetch(picture)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  it('says nothing about a score that is not public, and is found with the key of its link', async () => {
    const { id, sharingKey } = await add('privateLink')
    const withKey = await open(`/scores/${id}?sharingKey=${sharingKey}`)
    expect([withKey.status, /og:|Nocturne/.test(withKey.text)]).toEqual([200, false])
    for (const path of [`/scores/${id}`, `/scores/${(await add('private')).id}`]) {
      const { status, text } = await open(path)
      expect([status, /og:|Nocturne/.test(text)]).toEqual([404, false])
    }
  })

  it.each(['0123456789abcdef01234567', 'no-id', '%00', '%27'])(
    'is the same for a hidden score and for one that does not exist: %s',
    async (id) => {
      const hidden = await open(`/scores/${(await add('private')).id}`)
      const missing = await open(`/scores/${id}`)
      expect(missing.status).toBe(hidden.status)
      const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '')
      expect(withoutNonce(missing.text)).toBe(withoutNonce(hidden.text))
    },
  )

  it('is 200 for every signed-in user, because the app asks what the user may see', async () => {
    const { id } = await add('private')
    const { status } = await (await signedIn(app, owner)).open(`/scores/${id}`)
    expect(status).toBe(200)
  })
})
