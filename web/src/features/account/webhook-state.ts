import type { Webhook } from '../../../../src/contract/webhooks.ts'
import type { Texts } from '../../../../src/texts/catalogue.ts'

/** Says whether a webhook sends, and if not, why. */
export function webhookState({ text }: Texts, { offReason, failingSince }: Webhook): string {
  if (offReason) return text(`webhooks.off.${offReason}`)
  return text(failingSince === null ? 'webhooks.on' : 'webhooks.failing')
}
