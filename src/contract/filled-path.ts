/**
 * Replaces the parameters of a path template by their values, and encodes these.
 * @param values a value for each parameter
 * @example filledPath('/account/developer/apps/{app}', { app: 'a/b' }) // '/account/developer/apps/a%2Fb'
 */
export function filledPath(template: string, values: object): string {
  const byName = new Map<string, unknown>(Object.entries(values))
  return template.replaceAll(/\{(\w+)\}/g, (_parameter, name) =>
    encodeURIComponent(String(byName.get(name) ?? '')),
  )
}
