import type { Context } from '../../../context.ts'
import { listEndpointsAfter, updateEndpoint } from './endpoints.store.ts'
import { sealedAgain } from './secrets.ts'

const atATime = 100

/** Encrypts the secrets of all webhooks with the current key. Returns how many webhooks had another one. */
export async function encryptAgain(ctx: Context): Promise<number> {
  let count = 0
  let after = ''
  for (;;) {
    const { rows, changed } = await ctx.transaction(async (tx) => {
      const rows = await listEndpointsAfter(tx, after, atATime)
      const changes = rows.flatMap((row) => {
        const change = sealedAgain(ctx, row)
        return change ? [{ id: row.id, change }] : []
      })
      for (const { id, change } of changes) await updateEndpoint(tx, id, change)
      return { rows, changed: changes.length }
    })
    count += changed
    const last = rows.at(-1)
    if (!last) return count
    after = last.id
  }
}
