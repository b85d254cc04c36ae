import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { rawRequest } from '../support/raw-http.ts'

const app = useApp(usingDatabases('sqlite'))

it('serves a request whose target is in absolute form (RFC 9112, 3.2.2)', async () => {
  const tess = await app.person('tess')
  const answer = await rawRequest(
    app.url,
    [
      'GET http://somewhere.example/v2/collections/app/scores?limit=1 HTTP/1.1',
      'Host: somewhere.example',
      `Authorization: Bearer ${tess.token}`,
      'Connection: close',
      '',
      '',
    ].join('\r\n'),
  )
  expect(answer?.status).toBe(200)
})
