import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { interfaceVersion, internalDocument, openapiDocument } from '../contract/openapi.ts'
import type { Operation } from '../operation.ts'
import type { Admit } from './server.ts'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Partita: reference</title>
<link rel="stylesheet" href="/docs/viewer/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
<div id="reference"></div>
<script src="/docs/viewer/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</html>
`

const read = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
const [script, styles] = [read('reference.js'), read('reference.css')]

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'"

/** The addresses that a program needs first. */
export const programIndex = ({ publicUrl }: Config): Record<string, string> => ({
  name: 'Partita',
  interfaceVersion,
  openapi: `${publicUrl}/v2/openapi.json`,
  documentation: `${publicUrl}/docs`,
  authorizationServer: `${publicUrl}/.well-known/oauth-authorization-server`,
  account: `${publicUrl}/v2/me`,
})

/** Serves the OpenAPI documents, and a page that shows the published one. The viewer is part of the installation. */
export async function documentation(
  server: FastifyInstance,
  config: Config,
  operations: readonly Operation[],
  admit: Admit,
): Promise<void> {
  const mountedAt = (mount: Operation['mount']) => operations.filter((operation) => operation.mount === mount)
  const documents = {
    '/v2': () => openapiDocument(mountedAt('/v2'), config.publicUrl),
    '/internal': () => internalDocument(mountedAt('/internal'), config.publicUrl),
  }
  const count = async (request: FastifyRequest, reply: FastifyReply) => {
    await admit(request, reply)
  }
  for (const [mount, describe] of Object.entries(documents)) {
    let document: string | undefined
    server.get(`${mount}/openapi.json`, { onRequest: count }, async (_request, reply) => {
      document ??= JSON.stringify(describe())
      return reply.type('application/json; charset=utf-8').send(document)
    })
  }
  server.get('/v2', { onRequest: count }, async () => programIndex(config))
  server.get('/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('Content-Security-Policy', policy).send(page),
  )
  server.get('/docs/reference.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  )
  server.get('/docs/reference.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(styles),
  )
  await server.register(fastifyStatic, {
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: '/docs/viewer/',
    index: false,
    decorateReply: false,
    acceptRanges: false,
  })
}
