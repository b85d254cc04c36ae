/**
 * The lanes of the job queue. Each lane has slots of its own, so that the jobs of one never wait for those of another.
 *
 * - `mail`: sends one mail that somebody waits for.
 * - `digest`: sends one mail about notifications. A school gets thousands of them within an hour.
 * - `interactive`: short work that a user waits for.
 * - `deletion`: deletes scores, collections and accounts.
 * - `maintenance`: recurring work that nobody waits for.
 * - `webhooks`: sends events to programs that have answered the last time. `webhook-retries` does it for the others, which can keep a
 *   slot for many seconds.
 * - `import` and `export`: work of minutes, with a task that shows its progress.
 */
export const lanes = [
  'mail',
  'digest',
  'interactive',
  'deletion',
  'maintenance',
  'webhooks',
  'webhook-retries',
  'import',
  'export',
] as const

export type Lane = (typeof lanes)[number]

/** The number of jobs of each lane that a worker runs at the same time. */
export type Slots = Readonly<Record<Lane, number>>

/** @param heavy the number of slots for imports, and for exports */
export const slotsOf = (heavy: number): Slots => ({
  mail: 4,
  digest: 2,
  interactive: 4,
  deletion: 2,
  maintenance: 1,
  webhooks: 32,
  'webhook-retries': 16,
  import: heavy,
  export: heavy,
})
