/** How often a user gets a mail about new notifications, if there are any. */
export const mailFrequencies = ['immediately', 'daily', 'weekly', 'off'] as const
export type MailFrequency = (typeof mailFrequencies)[number]
/** The frequency of a user who has not chosen one. */
export const defaultMailFrequency: MailFrequency = 'daily'
