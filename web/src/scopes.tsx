import type { Scope } from '../../src/contract/scopes.ts'
import { useTexts } from './texts.ts'

/** What somebody or something may do, folded: it may be much. */
export function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  const { text } = useTexts()
  return (
    <details>
      <summary>
        {text('table.allows')} ({scopes.length})
      </summary>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>{text(`scope.${scope}`)}</li>
        ))}
      </ul>
    </details>
  )
}
