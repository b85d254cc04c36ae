import { Link } from 'react-aria-components/Link'
import { Accesses } from './accesses.tsx'
import { endToken, listTokens } from './client.ts'
import { Day } from './moment.tsx'
import { useTexts } from './texts.ts'

/** The tokens with which programs of one's own act. */
export function Tokens() {
  const { text } = useTexts()
  const dayOr = (date: string | null, otherwise: string) => (date ? <Day of={date} /> : otherwise)
  return (
    <Accesses
      id="tokens"
      title={text('tokens.title')}
      none={text('tokens.none')}
      consequence={text('tokens.revokeWhat')}
      columns={[
        { title: text('table.ends'), content: ({ expiresAt }) => dayOr(expiresAt, text('tokens.never')) },
        { title: text('table.lastUsed'), content: ({ lastUsedAt }) => dayOr(lastUsedAt, text('table.notYet')) },
      ]}
      load={listTokens}
      end={endToken}
      footer={
        <p>
          <Link className="button" href="/account/tokens/new">
            {text('tokens.new')}
          </Link>
        </p>
      }
    >
      <p>{text('tokens.what')}</p>
    </Accesses>
  )
}
