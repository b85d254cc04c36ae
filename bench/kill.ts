import { setTimeout as delay } from 'node:timers/promises'
import { progressBar } from '../src/commands/progress-bar.ts'
import { startWriters } from '../test/support/idempotent-writers.ts'
import { findPostgres } from '../test/support/postgres-server.ts'
import { type AttackName, attackNames, makeTarget, startAttack } from './fair.targets.ts'
import { startPartita } from './servers.ts'

const clients = 20

/**
 * Kills the server with SIGKILL so many times, while clients write with idempotency keys, under one attack after
 * another. Then reads everything that was written. Fails if an acknowledged score is lost, or if a request was executed twice.
 * @param only the names of attacks, separated by commas
 */
export async function benchKills(kills: number, only?: string): Promise<void> {
  const attacks = attackNames.filter((name) => !only || only.split(',').includes(name))
  const databases = { SQLite: undefined, PostgreSQL: await findPostgres() }
  const rows: Record<string, Record<string, number>> = {}
  for (const [database, url] of Object.entries(databases)) {
    if (database === 'PostgreSQL' && !url) console.log('PostgreSQL: no server here, so not measured')
    else rows[database] = await killRepeatedly(url, kills, attacks)
  }
  console.log(`\nAfter ${kills} kills under one attack after another`)
  console.table(rows)
}

async function killRepeatedly(
  url: string | undefined,
  kills: number,
  attacks: readonly AttackName[],
): Promise<Record<string, number>> {
  const partita = await startPartita(url, { TRUST_PROXY: '127.0.0.1' })
  try {
    const target = await makeTarget(partita)
    const writers = startWriters(partita.url, await partita.createAccount('writer'), clients)
    const bar = progressBar('Kills', kills, {})
    for (let kill = 0; kill < kills; kill++) {
      const attacker = startAttack(attacks[kill % attacks.length] as AttackName, target)
      // The kill happens at a random time, but only after each client has something to lose.
      await writers.progress(clients)
      await delay(Math.random() * 300)
      await partita.restart()
      await attacker.terminate()
      bar.step()
    }
    bar.stop()
    await writers.finish()
    const faults = await writers.faults()
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) process.exitCode = 1
    return {
      acknowledged: writers.acknowledged.size,
      'answered again': writers.replayed,
      'answer lost': writers.answerLost.size,
      faults: faults.length,
    }
  } finally {
    await partita.stop()
  }
}
