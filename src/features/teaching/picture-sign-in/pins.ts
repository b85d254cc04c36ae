import { randomInt } from 'node:crypto'
import { endPinSessions } from '../../../auth/sessions/revocation.ts'
import { pinLength, type PupilSymbol, pupilSymbolNames } from '../../../contract/sign-in-pictures.ts'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { audit } from '../../people/audit/audit.ts'
import { deleteClassSignIn, type StudentRow } from './store.ts'

/** Returns a random PIN of digits. */
export const newPin = (): string => Array.from({ length: pinLength }, () => randomInt(10)).join('')

/** Chooses the picture that the fewest students of a class have. */
export function rarestSymbol(taken: readonly (PupilSymbol | null)[]): PupilSymbol {
  const count = (symbol: PupilSymbol) => taken.filter((one) => one === symbol).length
  return pupilSymbolNames.reduce((rarest, symbol) => (count(symbol) < count(rarest) ? symbol : rarest))
}

type Named = Pick<StudentRow, 'username' | 'firstname' | 'lastname'>

/**
 * Returns the name of a student on the sign-in page: the first name alone, and with the initial of the last name if another student
 * has the same one.
 */
export function shortName(student: Named, all: readonly Named[]): string {
  const { username, firstname, lastname } = student
  if (!firstname) return username
  const isShared = all.filter((one) => one.firstname === firstname).length > 1
  const [initial] = lastname ?? ''
  return isShared && initial ? `${firstname} ${initial}.` : firstname
}

/**
 * Ends the sign-in page of a class, its PINs, and the sessions that they opened.
 * @param of.by null if the server does it
 */
export async function closeClassSignIn(
  ctx: Context,
  tx: Transaction,
  of: { readonly class: string; readonly by: string | null },
): Promise<void> {
  const users = await deleteClassSignIn(tx, of.class)
  await endPinSessions(ctx, tx, users)
  for (const user of users)
    await audit(tx, ctx, {
      organization: { of: user },
      actor: of.by,
      action: 'user.pin-removed',
      subject: user,
      details: { class: of.class },
    })
}
