import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { UserDetailsAdmin } from '../../../../src/contract/organizations.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Day } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { MemberFilterForm } from './member-filter-form.tsx'
import { chosenFilterKey, type MemberFilter, memberCountQuery, membersQuery } from './queries.ts'

/** The members of the organization, for its administrators. */
export function MembersPage() {
  const { text } = useTexts()
  const queries = useQueryClient()
  const [filter, setFilter] = useState(() => queries.getQueryData<MemberFilter>(chosenFilterKey) ?? {})
  const members = useInfiniteQuery(membersQuery(filter))
  const total = useQuery(memberCountQuery(filter))

  function choose(chosen: MemberFilter) {
    queries.setQueryData(chosenFilterKey, chosen)
    setFilter(chosen)
  }

  return (
    <Page title={text('members.title')} isWide>
      <p>
        <Link href={pathTo('/organization/members/import')}>{text('roster.title')}</Link>
      </p>
      <MemberFilterForm filter={filter} onChoose={choose} />
      <QueryContent query={members}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows)
          return (
            <>
              <p role="status" className="hint">
                {rows.length === 0
                  ? text('members.none')
                  : text('members.count', { shown: rows.length, total: total.data ?? rows.length })}
              </p>
              {rows.length > 0 && <MemberTable rows={rows} />}
              {members.hasNextPage && (
                <Button onPress={() => void members.fetchNextPage()}>{text('members.more')}</Button>
              )}
            </>
          )
        }}
      </QueryContent>
    </Page>
  )
}

function MemberTable({ rows }: { rows: readonly UserDetailsAdmin[] }) {
  const { text } = useTexts()
  const columns: readonly Column<UserDetailsAdmin>[] = [
    {
      title: text('table.name'),
      isRowHeader: true,
      content: ({ id, name, username }) => (
        <Link href={pathTo('/organization/members/{member}', { member: id })}>{name ?? username}</Link>
      ),
    },
    { title: text('members.username'), content: ({ username }) => username },
    {
      title: text('members.role'),
      content: ({ organizationRole: role, isEduTestingStudent: isTest }) =>
        isTest ? text('members.testStudent') : role && text(`members.role.${role}`),
    },
    {
      title: text('members.lastActive'),
      content: ({ lastActivityDate: date }) => (date ? <Day of={date} /> : text('table.notYet')),
    },
  ]
  return <Table rows={rows} columns={columns} keyOf={({ id }) => id} />
}
