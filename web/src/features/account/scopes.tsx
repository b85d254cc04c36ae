import type { Scope } from '../../../../src/contract/scopes.ts'
import { useTexts } from '../../app/texts.ts'

/** The permissions of a token or an app. The list can be long, so it is folded. */
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
