import { setTimeout as delay } from 'node:timers/promises'
import { type Client, clientOf, type Reply } from './client.ts'
import { linksOf } from './paging.ts'
import { musicXml } from './scores.ts'

/**
 * Clients of one account that create scores while the server is killed and restarted. A request without an answer is repeated with
 * the same `Idempotency-Key`.
 */
export interface IdempotentWriters {
  /** The ids of the scores that were acknowledged, by title. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** The titles of the scores that were created, but whose answer was lost. */
  readonly answerLost: ReadonlySet<string>
  /** The number of answers that came from a repetition of the request. */
  readonly replayed: number
  /** Answers that no writer expects. */
  readonly refusals: readonly string[]
  /** Resolves when so many more scores are acknowledged, or a request was refused. */
  progress(more: number): Promise<void>
  /** Lets each writer finish its score. */
  finish(): Promise<void>
  /** Compares the scores of the account with the answers. Returns a line for each fault. */
  faults(): Promise<string[]>
}

/**
 * @param url the address of the server
 * @param token the token of the account, which has no other scores
 * @param count the number of clients
 */
export function startWriters(url: string, token: string, count: number): IdempotentWriters {
  const client = clientOf(url, token)
  const acknowledged = new Map<string, string>()
  const answerLost = new Set<string>()
  const refusals: string[] = []
  const repeating: Promise<void>[] = []
  let replayed = 0
  let isFinishing = false

  async function write(writer: number): Promise<void> {
    // Some scores are small enough for database rows. Others are stored as files.
    const measures = Array.from({ length: writer % 4 === 0 ? 400 : 4 }, (_, i) => `C${(i % 7) + 1} D4 E4 F4`)
    for (let n = 0; !isFinishing && refusals.length === 0; n++) {
      const title = `Writer ${writer}, score ${n}`
      const body = { data: musicXml({ title, measures }), privacy: 'private' }
      const headers = { 'Idempotency-Key': `writer-${writer}-${n}` }
      const send = () => client.post('/scores', body, { headers }).catch(whileKilled)
      const reply = await send()
      if (isAnswer(reply)) note(title, reply)
      else {
        const repeated = repeat(title, send)
        repeating.push(repeated)
        // The other requests of a client do not wait for one that is repeated, except while the server is overloaded.
        await (reply ? repeated : untilReady())
      }
    }
  }

  async function untilReady(): Promise<void> {
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) await delay(100)
  }

  async function repeat(title: string, send: () => Promise<Reply | undefined>): Promise<void> {
    for (;;) {
      await delay(200)
      const reply = await send()
      if (isAnswer(reply)) return note(title, reply)
    }
  }

  function note(title: string, { status, headers, body }: Reply): void {
    if (status === 200) acknowledged.set(title, body.id)
    else if (body?.code === 'IDEMPOTENT_ANSWER_LOST') answerLost.add(title)
    else refusals.push(`${status} ${JSON.stringify(body)}`)
    if (headers.has('idempotent-replayed')) replayed++
  }

  const writing = Array.from({ length: count }, (_, writer) => write(writer))
  return {
    acknowledged,
    answerLost,
    refusals,
    get replayed() {
      return replayed
    },
    async progress(more) {
      const target = acknowledged.size + more
      while (acknowledged.size < target && refusals.length === 0) await delay(10)
    },
    async finish() {
      isFinishing = true
      await Promise.all(writing)
      await Promise.all(repeating)
    },
    async faults() {
      const faults = [...refusals]
      const ids = await scoresByTitle(url, client)
      for (const [title, all] of ids) if (all.length > 1) faults.push(`created twice: ${title}`)
      for (const title of answerLost)
        if (!ids.has(title)) faults.push(`lost, but reported as created: ${title}`)
      for (const [title, id] of acknowledged) {
        const { body } = await client.get(`/scores/${id}/revisions/last/json`)
        const isListed = ids.get(title)?.includes(id)
        if (!isListed || !JSON.stringify(body).includes(title)) faults.push(`lost: ${title}`)
      }
      return faults
    },
  }
}

/** Ignores the error of a request whose connection was closed. */
function whileKilled(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error
}

/** Whether the server does not execute a request any more. */
const isAnswer = (reply: Reply | undefined): reply is Reply =>
  reply !== undefined && reply.status !== 503 && reply.body?.code !== 'IDEMPOTENT_REQUEST_IN_PROGRESS'

async function scoresByTitle(url: string, client: Client): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>()
  let path: string | undefined = '/collections/root/scores?limit=100'
  while (path !== undefined) {
    const { body, headers } = await client.get(path)
    for (const { id, title } of body) ids.set(title, [...(ids.get(title) ?? []), id])
    path = linksOf(headers, url).next
  }
  return ids
}
