import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/create-context.ts'
import { findPostgres } from '../test/support/postgres-server.ts'
import { startMailServer } from '../test/support/mail-server.ts'
import { createPerson } from '../test/support/people.ts'
import { base64, largeMusicXml, musicXml } from '../test/support/scores.ts'
import { type AttackName, type AttackTarget, attackNames, makeTarget, startAttack } from './fair.targets.ts'
import { quantile } from './quantile.ts'
import { type Partita, startPartita } from './servers.ts'

/** The work of a quiet user that is measured. Each returns when the user has the result. */
const measures = ['upload', 'import', 'pdf', 'mail'] as const
type Measure = (typeof measures)[number]
type Durations = Record<Measure, number[]>

/** How often each is measured in a round. The p95 of a few short times would be one slow moment of the machine. */
const timesInRound: Record<Measure, number> = { upload: 1, import: 3, pdf: 1, mail: 5 }

/** The highest ratio of the p95 under an attack to the p95 without one. */
const limit = 3

/**
 * Prints how long a quiet user waits for an upload, an import, a PDF and a password mail while an anonymous client or another
 * account attacks, and the ratio to the time without an attack, in one run. Fails if a ratio is above 3.
 * @param rounds how often an upload and a PDF are measured; imports and mails are measured more often
 * @param only the names of attacks, separated by commas
 */
export async function benchFairness(rounds: number, only?: string): Promise<void> {
  const postgresUrl = await findPostgres()
  for (const [database, url] of Object.entries({ SQLite: undefined, PostgreSQL: postgresUrl })) {
    if (database === 'PostgreSQL' && !url) console.log('PostgreSQL: no server here, so not measured')
    else await benchDatabase(database, url, rounds, only)
  }
}

async function benchDatabase(
  database: string,
  url: string | undefined,
  rounds: number,
  only: string | undefined,
): Promise<void> {
  const mailServer = await startMailServer()
  const partita = await startPartita(url, { SMTP_URL: mailServer.url, TRUST_PROXY: '127.0.0.1' })
  let user: QuietUser | undefined
  try {
    const target = await makeTarget(partita)
    user = await quietUser(partita, mailServer)
    await measure(user, 1)
    const rows: Record<string, Record<string, string>> = {}
    let before = await measure(user, rounds)
    for (const name of attackNames) {
      if (only && !only.split(',').includes(name)) continue
      const { durations, answers } = await measureUnderAttack(name, target, user, rounds)
      // What the attack has left in the queues must not count as quiet.
      await delay(5000)
      // Measured just before and just after, so that a slower or faster minute of the machine does not count as an effect.
      const after = await measure(user, rounds)
      const quiet = joined(before, after)
      before = after
      rows[name] = { ...row(durations, quiet), 'answers to the attack': answers }
      if (measures.some((one) => p95(durations[one]) > limit * p95(quiet[one]))) process.exitCode = 1
      console.log(`${database}, ${name}: ${Object.values(rows[name]).join(', ')}`)
    }
    console.log(
      `\n${database}: p95 in ms of a quiet user under an attack, and its ratio to the one before and after (at most ${limit})`,
    )
    console.table(rows)
  } finally {
    await user?.close()
    await partita.stop()
    await mailServer.close()
  }
}

async function measureUnderAttack(
  name: AttackName,
  target: AttackTarget,
  user: QuietUser,
  rounds: number,
): Promise<{ durations: Durations; answers: string }> {
  const attacker = startAttack(name, target)
  const statuses = new Map<number, number>()
  attacker.on('message', (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1))
  try {
    await delay(2000)
    const durations = await measure(user, rounds)
    const counts = [...statuses].map(([status, count]) => `${count} × ${status}`)
    return { durations, answers: counts.join(', ') }
  } finally {
    await attacker.terminate()
  }
}

interface QuietUser {
  upload(): Promise<unknown>
  import(): Promise<unknown>
  pdf(): Promise<unknown>
  mail(): Promise<unknown>
  close(): Promise<void>
}

async function quietUser(
  partita: Partita,
  mailServer: Awaited<ReturnType<typeof startMailServer>>,
): Promise<QuietUser> {
  const token = await partita.createAccount('quiet')
  const ctx = await createContext(readConfig({ ...partita.storage, logLevel: 'silent' }, {}))
  let counter = 0
  const create = async (body: object): Promise<string> => {
    const response = await partita.fetch(
      'POST',
      '/v2/scores',
      { title: `Quiet ${++counter}`, ...body },
      token,
    )
    if (!response.ok) throw new Error(`An upload of the quiet user was answered ${response.status}`)
    return ((await response.json()) as { id: string }).id
  }
  const midi = await makeMidi(partita, token, await create({ data: musicXml() }))
  return {
    upload: () => create({ data: largeMusicXml(1_500_000) }),
    import: () => create({ data: midi, dataEncoding: 'base64' }),
    async pdf() {
      const id = await create({ data: musicXml({ title: `Quiet ${++counter}` }) })
      const response = await partita.fetch('GET', `/v2/scores/${id}/revisions/last/pdf`, undefined, token)
      if (!response.ok) throw new Error(`A PDF of the quiet user was answered ${response.status}`)
      await response.arrayBuffer()
    },
    async mail() {
      // Each account gets three mails in 15 minutes.
      const name = `quiet${++counter}`
      await createPerson(ctx, partita.url, name, { email: `${name}@school.example` })
      const sent = mailServer.mails.length
      const startedAt = performance.now()
      const response = await fetch(`${partita.url}/auth/password`, {
        method: 'POST',
        body: new URLSearchParams({ username: name }),
        headers: { 'X-Forwarded-For': `10.0.${counter >> 8}.${counter & 255}` },
      })
      if (!response.ok) throw new Error(`A request for a mail was answered ${response.status}`)
      while (mailServer.mails.length === sent) await delay(5)
      return performance.now() - startedAt
    },
    close: () => ctx.close(),
  }
}

async function makeMidi(partita: Partita, token: string, id: string): Promise<string> {
  const response = await partita.fetch('GET', `/v2/scores/${id}/revisions/last/midi`, undefined, token)
  return base64(new Uint8Array(await response.arrayBuffer()))
}

async function measure(user: QuietUser, rounds: number): Promise<Durations> {
  const durations: Durations = { upload: [], import: [], pdf: [], mail: [] }
  for (let n = 0; n < rounds; n++) {
    for (const name of measures.flatMap((one) => Array<Measure>(timesInRound[one]).fill(one))) {
      const startedAt = performance.now()
      const own = await user[name]()
      durations[name].push(typeof own === 'number' ? own : performance.now() - startedAt)
    }
  }
  return durations
}

const joined = (before: Durations, after: Durations): Durations => ({
  upload: [...before.upload, ...after.upload],
  import: [...before.import, ...after.import],
  pdf: [...before.pdf, ...after.pdf],
  mail: [...before.mail, ...after.mail],
})

const p95 = (values: number[]): number => quantile(values, 0.95)

const row = (durations: Durations, quiet: Durations): Record<string, string> =>
  Object.fromEntries(
    measures.map((name) => {
      const time = p95(durations[name])
      return [name, `${Math.round(time)} (${(time / p95(quiet[name])).toFixed(1)})`]
    }),
  )
