import type { Queries, Transaction } from '../../db/database.ts'
import { hashToken, isToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../operation.ts'
import { beginSession } from '../sessions/session.ts'
import { deleteSession, deleteSignInLink, findSignInLink, insertSignInLink } from '../sessions/store.ts'
import { audit } from '../audit/audit.ts'

/** How long a link waits for being used. */
const linkMilliseconds = 15 * 60 * 1000

/** Makes a link by which somebody is signed in, once; its token is seen this once. */
export async function createSignInLink(
  ctx: Context,
  tx: Transaction,
  link: { user: string; destination: string; by: string },
): Promise<{ token: string; expiresAt: number }> {
  const token = newToken('signInLink')
  const expiresAt = ctx.clock.now() + linkMilliseconds
  await insertSignInLink(tx, {
    hash: hashToken(token),
    user_id: link.user,
    destination: link.destination,
    created_by: link.by,
    expires_at: expiresAt,
  })
  return { token, expiresAt }
}

/** The link of this token, while it can be used. */
export async function findLinkOf(
  queries: Queries,
  { clock }: Pick<Context, 'clock'>,
  token: string,
): ReturnType<typeof findSignInLink> {
  return isToken('signInLink', token)
    ? findSignInLink(queries, { hash: hashToken(token), now: clock.now() })
    : undefined
}

/**
 * Uses a link up: whom it is for is signed in. Of several who try at once, one is.
 * @param earlier the hash of the session that the browser was in, which ends, whosever it was
 */
export async function signInByLink(
  ctx: Context,
  token: string,
  earlier: string | undefined,
): Promise<{ session: string; destination: string } | undefined> {
  return ctx.transaction(async (tx) => {
    const link = await findLinkOf(tx, ctx, token)
    if (!link || !(await deleteSignInLink(tx, link.hash))) return undefined
    if (earlier) await deleteSession(tx, earlier)
    const session = await beginSession(ctx, tx, link.user_id, link.created_by)
    await audit(tx, ctx, {
      organization: link.organization_id,
      actor: link.user_id,
      action: 'user.signed-in-by-link',
      subject: link.user_id,
      details: { by: link.created_by },
    })
    return { session, destination: link.destination }
  })
}
