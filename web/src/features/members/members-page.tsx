import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { UserDetailsAdmin } from '../../../../src/contract/organizations.ts'
import { useMe } from '../../app/queries.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { AdministratorsOnly } from '../../ui/administrators-only.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Day } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { rolesUpTo } from '../../../../src/contract/roles.ts'
import type { SelectedMember } from './bulk.ts'
import { BulkActions } from './bulk-actions.tsx'
import { MemberFilterForm } from './member-filter-form.tsx'
import {
  chosenFilterKey,
  type MemberFilter,
  memberCountQuery,
  memberFilterOf,
  membersQuery,
} from './queries.ts'

/** The members of the organization, for its administrators. */
export function MembersPage() {
  const { text } = useTexts()
  return (
    <Page title={text('members.title')} isWide>
      <AdministratorsOnly>
        <Members />
      </AdministratorsOnly>
    </Page>
  )
}

function Members() {
  const { text } = useTexts()
  const queries = useQueryClient()
  const { search, setSearch } = useRouter()
  // A link can choose the filter.
  const [filter, setFilter] = useState(() =>
    search.size > 0 ? memberFilterOf(search) : (queries.getQueryData<MemberFilter>(chosenFilterKey) ?? {}),
  )
  useEffect(() => void queries.setQueryData(chosenFilterKey, filter), [queries, filter])
  const members = useInfiniteQuery(membersQuery(filter))
  const total = useQuery(memberCountQuery(filter))
  const [selected, setSelected] = useState<readonly SelectedMember[]>([])

  function choose(chosen: MemberFilter) {
    setFilter(chosen)
    setSearch({ q: undefined, role: undefined, testAccounts: undefined })
    // An action must not reach members whom the list no longer shows.
    setSelected([])
  }

  return (
    <>
      <p>
        <Link href={pathTo('/organization/members/import')}>{text('roster.title')}</Link>
      </p>
      <MemberFilterForm filter={filter} onChoose={choose} />
      <BulkActions members={selected} onClear={() => setSelected([])} />
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
              {rows.length > 0 && <MemberTable rows={rows} selected={selected} onSelect={setSelected} />}
              {members.hasNextPage && (
                <Button onPress={() => void members.fetchNextPage()}>{text('members.more')}</Button>
              )}
            </>
          )
        }}
      </QueryContent>
    </>
  )
}

interface TableProps {
  rows: readonly UserDetailsAdmin[]
  selected: readonly SelectedMember[]
  onSelect(selected: readonly SelectedMember[]): void
}

const selectedMemberOf = ({ id, username, name }: UserDetailsAdmin): SelectedMember => ({
  id,
  username,
  name: name ?? username,
})

function MemberTable({ rows, selected, onSelect }: TableProps) {
  const { text } = useTexts()
  const me = useMe()
  const reachable = rolesUpTo(me.organizationRole)
  const canSelect = ({ id, organizationRole, isEduTestingStudent: isTest }: UserDetailsAdmin) =>
    id !== me.id && !isTest && organizationRole !== undefined && reachable.includes(organizationRole)
  const selectable = rows.filter(canSelect)
  const isSelected = ({ id }: UserDetailsAdmin) => selected.some((one) => one.id === id)
  const areAll = selectable.length > 0 && selectable.every(isSelected)
  const columns: readonly Column<UserDetailsAdmin>[] = [
    {
      title: text('bulk.select'),
      isSelection: true,
      content: (row) =>
        canSelect(row) && (
          <Checkbox
            className="choice"
            aria-label={text('bulk.selectOne', { name: row.name ?? row.username })}
            isSelected={isSelected(row)}
            onChange={(isNow) =>
              onSelect(
                isNow ? [...selected, selectedMemberOf(row)] : selected.filter(({ id }) => id !== row.id),
              )
            }
          >
            <span className="mark" aria-hidden="true" />
          </Checkbox>
        ),
    },
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
  return (
    <>
      {selectable.length > 0 && (
        <Checkbox
          className="choice own"
          isSelected={areAll}
          isIndeterminate={!areAll && selectable.some(isSelected)}
          onChange={() => onSelect(areAll ? [] : selectable.map(selectedMemberOf))}
        >
          <span className="mark" aria-hidden="true" />
          {text('bulk.selectAll', { count: selectable.length })}
        </Checkbox>
      )}
      <Table rows={rows} columns={columns} keyOf={({ id }) => id} />
    </>
  )
}
