import { useQuery } from '@tanstack/react-query'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { Day } from '../../ui/moment.tsx'
import { AccessSection } from './access-section.tsx'
import { tokensQuery } from './queries.ts'

/** The personal tokens of the user. */
export function Tokens() {
  const { text } = useTexts()
  const tokens = useQuery(tokensQuery)
  const dayOr = (date: string | null, fallback: string) => (date === null ? fallback : <Day of={date} />)
  return (
    <AccessSection
      id="tokens"
      title={text('tokens.title')}
      query={tokens}
      queryKey={tokensQuery.queryKey}
      none={text('tokens.none')}
      consequence={text('tokens.revokeWhat')}
      columns={[
        { title: text('table.ends'), content: ({ expiresAt }) => dayOr(expiresAt, text('tokens.never')) },
        {
          title: text('table.lastUsed'),
          content: ({ lastUsedAt }) => dayOr(lastUsedAt, text('table.notYet')),
        },
      ]}
      revoke={(id) => call('revokePersonalToken', { params: { id } })}
      footer={
        <p>
          <ButtonLink href={pathTo('/account/developer/tokens/new')}>{text('tokens.new')}</ButtonLink>
        </p>
      }
    >
      <p>{text('tokens.what')}</p>
    </AccessSection>
  )
}
