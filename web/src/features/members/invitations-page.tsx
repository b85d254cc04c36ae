import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { OrganizationInvitation } from '../../../../src/contract/organizations.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { AdministratorsOnly } from '../../ui/administrators-only.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Day } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { NewInvitation } from './new-invitation.tsx'
import { invitationsQuery } from './queries.ts'

/** The invitations of the organization: a new one, and the list with the number of uses and the end of each. */
export function InvitationsPage() {
  const { text } = useTexts()
  return (
    <Page title={text('invitations.title')} isWide>
      <AdministratorsOnly>
        <NewInvitation />
        <InvitationList />
      </AdministratorsOnly>
    </Page>
  )
}

function InvitationList() {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const invitations = useInfiniteQuery(invitationsQuery)
  const removal = useMutation({
    async mutationFn(id: string) {
      await call('removeOrganizationInvitation', { params: { invitation: id } })
      await queries.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      // The button that had the focus disappears.
      heading.current?.focus()
    },
  })
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations" ref={heading} tabIndex={-1}>
        {text('invitations.list')}
      </h2>
      <Notice>{removal.isSuccess ? text('invitations.revoked') : undefined}</Notice>
      <Notice isError>{removal.error ? errorText(texts, removal.error) : undefined}</Notice>
      <QueryContent query={invitations}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows)
          return rows.length === 0 ? (
            <p>{text('invitations.none')}</p>
          ) : (
            <InvitationTable rows={rows} onRevoke={removal.mutate} />
          )
        }}
      </QueryContent>
      {invitations.hasNextPage && (
        <Button onPress={() => void invitations.fetchNextPage()}>{text('invitations.more')}</Button>
      )}
    </section>
  )
}

interface TableProps {
  rows: readonly OrganizationInvitation[]
  onRevoke(id: string): void
}

function InvitationTable({ rows, onRevoke }: TableProps) {
  const { text } = useTexts()
  const nameOf = ({ email }: OrganizationInvitation) => email ?? text('invitations.anyone')
  const linkLabel = (invitation: OrganizationInvitation) =>
    text('invitations.linkNamed', {
      name: nameOf(invitation),
      role: text(`members.role.${invitation.organizationRole}`),
    })
  const columns: readonly Column<OrganizationInvitation>[] = [
    { title: text('invitations.for'), isRowHeader: true, content: nameOf },
    { title: text('members.role'), content: ({ organizationRole: role }) => text(`members.role.${role}`) },
    {
      title: text('invitations.expires'),
      content: ({ expirationDate: date }) => date && <Expiry date={date} />,
    },
    { title: text('invitations.uses'), content: (invitation) => <Uses invitation={invitation} /> },
    {
      title: text('invitations.link'),
      content: (invitation) =>
        invitation.htmlUrl ? (
          <Copyable label={linkLabel(invitation)}>{invitation.htmlUrl}</Copyable>
        ) : (
          text('invitations.hidden')
        ),
    },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: (invitation) => (
        <Confirmation
          action={text('tokens.revoke')}
          label={
            invitation.email === undefined
              ? text('invitations.revokeOpen')
              : text('invitations.revokeNamed', { name: invitation.email })
          }
          consequence={text('invitations.revokeWhat')}
          onConfirm={() => invitation.id && onRevoke(invitation.id)}
        />
      ),
    },
  ]
  return <Table rows={rows} columns={columns} keyOf={({ id = '' }) => id} />
}

function Expiry({ date }: { date: string }) {
  const { text } = useTexts()
  return (
    <>
      <Day of={date} />
      {Date.parse(date) <= Date.now() && ` (${text('invitations.expired')})`}
    </>
  )
}

function Uses({ invitation: { uses = 0, allowMultipleUse } }: { invitation: OrganizationInvitation }) {
  const { text, language } = useTexts()
  if (allowMultipleUse) return `${new Intl.NumberFormat(language).format(uses)}×`
  return text(uses > 0 ? 'invitations.used' : 'invitations.unused')
}
