import { isScope, type Scope } from '../contract/scopes.ts'
import { OAuthError } from './oauth-error.ts'

/** The scopes of a list that is divided by spaces, each once. @throws invalid_scope for one that there is not, or for none */
export function scopesOf(list: string): Scope[] {
  const scopes = [...new Set(list.split(' ').filter(Boolean))]
  if (scopes.length === 0) throw new OAuthError('invalid_scope', 'scope names nothing')
  if (!scopes.every(isScope)) throw new OAuthError('invalid_scope', 'scope names something that there is not')
  return scopes
}
