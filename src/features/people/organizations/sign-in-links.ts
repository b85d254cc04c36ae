import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { hashToken, isToken, newToken } from '../../../lib/tokens.ts'
import type { Context } from '../../../context.ts'
import { endSession } from '../../../auth/sessions/revocation.ts'
import { createSession } from '../../../auth/sessions/session.ts'
import { deleteSignInLink, findSignInLink, insertSignInLink } from '../../../auth/sessions/store.ts'
import { audit } from '../audit/audit.ts'
import { minute } from '../../../lib/durations.ts'

/** How long a link can be used. */
const linkMilliseconds = 15 * minute

/** Creates a link that signs a user in once. Only the result contains its token. */
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

/** Finds the link of a token if it can still be used. */
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
 * Signs the user of a link in and uses the link up. Of several simultaneous attempts, one succeeds.
 * @param earlier hash of the present session of the browser, which ends whoever its user is
 */
export async function signInByLink(
  ctx: Context,
  token: string,
  earlier: string | undefined,
): Promise<{ session: string; destination: string } | undefined> {
  return ctx.transaction(async (tx) => {
    const link = await findLinkOf(tx, ctx, token)
    if (!link || !(await deleteSignInLink(tx, link.hash))) return undefined
    if (earlier) await endSession(ctx, tx, earlier)
    const session = await createSession(ctx, tx, link.user_id, { linkBy: link.created_by })
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
