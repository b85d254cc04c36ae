// No schemas, so that the browser app can load this file without them.

/** How many endpoints an account, and an organization, can have. */
export const maxWebhooks = 20
export const maxWebhookUrlLength = 2000
