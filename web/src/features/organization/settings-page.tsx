import { useQuery } from '@tanstack/react-query'
import { operatorRules } from '../../../../src/contract/organization-rules.ts'
import type { OrganizationSettings } from '../../../../src/contract/organization-settings.ts'
import { useTexts } from '../../app/texts.ts'
import { sizeIn } from '../../ui/byte-size.ts'
import { Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { settingsQuery } from './queries.ts'
import { RulesSection } from './rules-section.tsx'

/** The rules of the organization, and what it uses of its limits. */
export function SettingsPage() {
  const { text } = useTexts()
  const settings = useQuery({ ...settingsQuery, refetchOnWindowFocus: false })
  return (
    <Page title={text('organization.title')}>
      <QueryContent query={settings}>
        {(data) => (
          <>
            <UseSection settings={data} />
            <RulesSection settings={data} />
            <ServerSection server={data.server} />
          </>
        )}
      </QueryContent>
    </Page>
  )
}

function UseSection({ settings }: { settings: OrganizationSettings }) {
  const { text, language } = useTexts()
  const number = new Intl.NumberFormat(language)
  const use = ({ used, allowed }: { used: number; allowed: number | null }, format: (n: number) => string) =>
    allowed === null
      ? text('organization.unlimited', { used: format(used) })
      : text('members.storage', { used: format(used), allowed: format(allowed) })
  const { name, rules, seats, classes, storage, retentionDays } = settings
  return (
    <section aria-labelledby="use">
      <h2 id="use">{text('organization.use')}</h2>
      <Facts
        facts={[
          [text('table.name'), name],
          [text('organization.seats'), use(seats, number.format)],
          [text('organization.classes'), use(classes, number.format)],
          [text('storage.title'), use(storage, (bytes) => sizeIn(language, bytes))],
          [text('organization.retention'), text('organization.days', { days: retentionDays })],
          ...operatorRules.map((rule): [string, string] => [
            text(`rules.${rule}`),
            text(rules[rule] ? 'members.on' : 'members.off'),
          ]),
        ]}
      />
    </section>
  )
}

function ServerSection({ server }: { server: OrganizationSettings['server'] }) {
  const { text } = useTexts()
  return (
    <section aria-labelledby="server">
      <h2 id="server">{text('organization.server')}</h2>
      <p>{text('organization.serverWhat')}</p>
      <Facts
        facts={[
          [
            text('organization.passwordLength'),
            text('organization.characters', {
              number: server.minPasswordLength,
              administrators: server.administratorPasswordLength,
            }),
          ],
          [text('organization.invitations'), text('organization.days', { days: server.invitationDays })],
        ]}
      />
    </section>
  )
}
