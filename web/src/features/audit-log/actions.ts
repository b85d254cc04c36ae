import { isAuditedAction } from '../../../../src/contract/audited-actions.ts'
import type { Texts } from '../../../../src/texts/catalogue.ts'

/** Returns an action of the audit log in the language of the reader. */
export const nameOfAction = ({ text }: Texts, action: string): string =>
  isAuditedAction(action) ? text(`audit.action.${action}`) : action
