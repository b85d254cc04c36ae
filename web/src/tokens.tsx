import { Link } from 'react-aria-components/Link'
import type { PersonalToken } from '../../src/contract/account.ts'
import { endToken, listTokens } from './client.ts'
import { Confirmation } from './confirmation.tsx'
import { useLoaded } from './loaded.ts'
import { Day } from './moment.tsx'
import { Loading, Notice } from './page.tsx'
import { Scopes } from './scopes.tsx'
import { useTexts } from './texts.ts'
import { useEnding } from './ending.ts'

/** The tokens with which programs of one's own act. */
export function Tokens() {
  const { text } = useTexts()
  const { value: tokens, error, reload } = useLoaded(listTokens)
  const ending = useEnding(endToken, reload)
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens" ref={ending.heading} tabIndex={-1}>
        {text('tokens.title')}
      </h2>
      <p>{text('tokens.what')}</p>
      <Notice isWrong={ending.hasFailed}>{ending.notice}</Notice>
      {tokens === undefined ? (
        <Loading error={error} />
      ) : tokens.length === 0 ? (
        <p>{text('tokens.none')}</p>
      ) : (
        <TokenTable tokens={tokens} onEnd={ending.end} />
      )}
      <p>
        <Link className="button" href="/account/tokens/new">
          {text('tokens.new')}
        </Link>
      </p>
    </section>
  )
}

interface TableProps {
  tokens: readonly PersonalToken[]
  onEnd(token: PersonalToken): void
}

function TokenTable({ tokens, onEnd }: TableProps) {
  const { text } = useTexts()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{text('table.name')}</th>
          <th scope="col">{text('table.allows')}</th>
          <th scope="col">{text('table.ends')}</th>
          <th scope="col">{text('table.lastUsed')}</th>
          <th scope="col">{text('table.action')}</th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id}>
            <th scope="row">{token.name}</th>
            <td>
              <Scopes scopes={token.scopes} />
            </td>
            <td data-label={text('table.ends')}>
              {token.expiresAt ? <Day of={token.expiresAt} /> : text('tokens.never')}
            </td>
            <td data-label={text('table.lastUsed')}>
              {token.lastUsedAt ? <Day of={token.lastUsedAt} /> : text('table.notYet')}
            </td>
            <td>
              <Confirmation
                action={text('tokens.revoke')}
                label={text('tokens.revokeNamed', { name: token.name })}
                consequence={text('tokens.revokeWhat')}
                onConfirm={() => onEnd(token)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
