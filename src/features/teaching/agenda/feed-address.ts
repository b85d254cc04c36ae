import type { Context } from '../../../context.ts'

/** Returns the address at which calendar programs read the due dates of a user. */
export const feedAddressOf = (
  { config, calendarTokens }: Pick<Context, 'config' | 'calendarTokens'>,
  user: string,
  version: string,
): string => `${config.publicUrl}/calendars/${calendarTokens.tokenOf(user, version)}.ics`
