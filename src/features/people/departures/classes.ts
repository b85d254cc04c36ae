import type { Context } from '../../../context.ts'
import type { ClassLeaving, ClassStateChange } from '../../../departure.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { runSteps } from './registry.ts'

/** Takes a user out of a class and its groups, with the user's work in the class. */
export const leaveClass = (ctx: Context, tx: Transaction, departure: ClassLeaving): Promise<void> =>
  runSteps('onClassLeft', ctx, tx, departure)

/** Updates what depends on the state of a class. The row of the class has the new state already. */
export const followClassState = (ctx: Context, tx: Transaction, change: ClassStateChange): Promise<void> =>
  runSteps('onClassStateChanged', ctx, tx, change)
