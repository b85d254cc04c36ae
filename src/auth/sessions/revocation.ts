import type { Context } from '../../context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { deleteDelegatedTokens, deleteTokensOf } from '../tokens/store.ts'
import { deleteEmailVerification } from './email-verifications.store.ts'
import { deletePendingSignInsOf } from './pending-sign-ins.store.ts'
import {
  deletePasswordResetsOf,
  deletePinSessions,
  deleteSession,
  deleteSessionsByLinks,
  deleteSessionsOf,
  deleteSignInLinksOf,
} from './store.ts'

type WithAuth = Pick<Context, 'auth'>

/** Ends one session. The cached actors of its user are deleted after the commit. */
export async function endSession(ctx: WithAuth, tx: Transaction, hash: string): Promise<void> {
  const user = await deleteSession(tx, hash)
  if (user !== undefined) deleteCachedActors(ctx, tx, [user])
}

/** Ends the sessions of these users that a PIN opened. */
export async function endPinSessions(
  ctx: WithAuth,
  tx: Transaction,
  users: readonly string[],
): Promise<void> {
  await deletePinSessions(tx, users)
  deleteCachedActors(ctx, tx, users)
}

/**
 * Deletes the sign-in links, sessions and tokens by which this user acts for other users, and other users for
 * this one. The cached actors of all these users are deleted after the commit.
 */
export async function revokeDelegation(ctx: WithAuth, tx: Transaction, user: string): Promise<void> {
  await deleteSignInLinksOf(tx, user)
  const ofSessions = await deleteSessionsByLinks(tx, user)
  const ofTokens = await deleteDelegatedTokens(tx, user)
  deleteCachedActors(ctx, tx, new Set([user, ...ofSessions, ...ofTokens]))
}

/**
 * Revokes every sign-in of a user who is removed or gets another password: sessions, tokens and everything
 * that `revokeDelegation` revokes.
 */
export async function revokeAllSignIns(ctx: WithAuth, tx: Transaction, user: string): Promise<void> {
  await revokeDelegation(ctx, tx, user)
  await deleteSessionsOf(tx, user)
  await deletePendingSignInsOf(tx, user)
  await deletePasswordResetsOf(tx, user)
  // One of the sessions may have requested the pending verification.
  await deleteEmailVerification(tx, user)
  await deleteTokensOf(tx, user)
}
