import Fastify from 'fastify'
import pg from 'pg'

/**
 * A server written by hand with the same framework and database driver, as short as it can be: one statement for a request, no
 * permissions, no validation. The benchmark shows how much of a request's cost is Partita's own.
 *
 *     node bench/minimal.ts PORT DATABASE_URL
 */
const [port, databaseUrl] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
const server = Fastify()

/** The headers that Partita sends, so that Node writes as many bytes. */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, ETag, X-Request-Id, Retry-After',
  'Cache-Control': 'private, no-cache',
  'X-RateLimit-Limit': '5000',
  'X-RateLimit-Remaining': '4999',
  'X-RateLimit-Reset': '3600',
}
server.addHook('onRequest', (request, reply, done) => {
  reply.headers(commonHeaders).header('X-Request-Id', request.id)
  done()
})

const texts = [
  'id',
  'title',
  'subtitle',
  'composer',
  'lyricist',
  'arranger',
  'description',
  'privacy',
  'tags',
]
const numbers = ['duration', 'measures', 'views', 'plays', 'likes', 'comments', 'created_at', 'modified_at']
const Score = {
  type: 'object',
  properties: Object.fromEntries([
    ...texts.map((name) => [name, { type: 'string', nullable: true }]),
    ...numbers.map((name) => [name, { type: 'number' }]),
    ['owner', { type: 'object', properties: { id: { type: 'string' }, username: { type: 'string' } } }],
  ]),
}
const columns = [...texts, ...numbers].map((name) => `scores.${name}`).join(', ')
const select = `select ${columns}, users.id as owner_id, users.username from scores
  inner join users on users.id = scores.owner_id`
const presented = ({ owner_id: id, username, ...score }: Record<string, unknown>) => ({
  ...score,
  owner: { id, username },
})

async function query(name: string, text: string, values: unknown[]) {
  const { rows } = await pool.query({ name, text, values })
  return rows.map(presented)
}

server.get<{ Params: { id: string } }>(
  '/v2/scores/:id',
  { schema: { response: { 200: Score } } },
  async (request) => (await query('one', `${select} where scores.id = $1`, [request.params.id]))[0],
)

server.get(
  '/v2/collections/app/scores',
  { schema: { response: { 200: { type: 'array', items: Score } } } },
  async () =>
    query(
      'list',
      `${select} inner join collection_scores on collection_scores.score_id = scores.id
        where collection_scores.collection_id = (select id from collections where app is not null limit 1)
        order by collection_scores.modified_at desc, collection_scores.score_id desc limit 25`,
      [],
    ),
)

server.put<{ Params: { id: string }; Body: { subtitle: string } }>(
  '/v2/scores/:id',
  { schema: { response: { 200: Score } } },
  async ({ params, body }) =>
    (
      await query(
        'edit',
        `update scores set subtitle = $2, modified_at = $3 from users
          where scores.id = $1 and users.id = scores.owner_id
          returning ${columns}, users.id as owner_id, users.username`,
        [params.id, body.subtitle, Date.now()],
      )
    )[0],
)

await server.listen({ port: Number(port), host: '127.0.0.1' })
