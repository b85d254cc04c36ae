import type { Transaction } from '../../db/database.ts'
import { deleteDelegatedTokens, deleteTokensOf } from '../access-tokens/store.ts'
import { deleteEmailVerification } from './email-verifications.ts'
import { deletePendingSignInsOf } from './pending-sign-ins.ts'
import { deletePasswordResetsOf, deleteSessionsByLinks, deleteSessionsOf, deleteSignInLinksOf } from './store.ts'

/** Ends what lets this user act as others, and others as this user. */
export async function endActing(tx: Transaction, user: string): Promise<void> {
  await deleteSignInLinksOf(tx, user)
  await deleteSessionsByLinks(tx, user)
  await deleteDelegatedTokens(tx, user)
}

/** Ends that as well by which this user is signed in, tokens included: for who is removed or gets another password. */
export async function endSignIns(tx: Transaction, user: string): Promise<void> {
  await endActing(tx, user)
  await deleteSessionsOf(tx, user)
  await deletePendingSignInsOf(tx, user)
  await deletePasswordResetsOf(tx, user)
  // Whoever was signed in may have asked for it.
  await deleteEmailVerification(tx, user)
  await deleteTokensOf(tx, user)
}
