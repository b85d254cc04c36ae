import type { Context } from '../../../context.ts'
import type { ClassLeaving, ClassStateChange } from '../../../departure.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { runSteps } from './registry.ts'

/** Removes a user from a class and its groups and assignments, and deletes the work of the user in the class. */
export const leaveClass = (ctx: Context, tx: Transaction, departure: ClassLeaving): Promise<void> =>
  runSteps('onClassLeft', ctx, tx, departure)

/** Updates what depends on the state of a class, after the row of the class was updated. */
export const updateAfterClassStateChange = (
  ctx: Context,
  tx: Transaction,
  change: ClassStateChange,
): Promise<void> => runSteps('onClassStateChanged', ctx, tx, change)
