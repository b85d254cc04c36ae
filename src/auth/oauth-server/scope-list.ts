import { isScope, type Scope } from '../../contract/scopes.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * Parses a space-separated list of scopes without duplicates.
 * @throws invalid_scope for an unknown scope or an empty list
 */
export function scopesOf(list: string): Scope[] {
  const scopes = [...new Set(list.split(' ').filter(Boolean))]
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'scope is empty')
  if (!scopes.every(isScope)) throw new OAuthError('invalid_scope', 'scope has an unknown value')
  return scopes
}
