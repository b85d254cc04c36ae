import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { OrganizationClass } from '../../../../src/contract/organization-overview.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { AdministratorsOnly } from '../../ui/administrators-only.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { FilterForm } from '../../ui/filter-form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Select } from '../../ui/select.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { classStates, type OrganizationClassFilter, organizationClassesQuery } from './queries.ts'

/** All classes of the organization, for its administrators. The filter is in the address. */
export function ClassesPage() {
  const { text } = useTexts()
  const { search, setSearch } = useRouter()
  const heading = useRef<HTMLHeadingElement>(null)
  const state = classStates.find((one) => one === search.get('state'))
  const filter = { q: search.get('q')?.slice(0, 100) ?? '', ...(state && { state }) }
  return (
    <Page title={text('schoolClasses.title')} heading={heading} isWide>
      <AdministratorsOnly>
        <FilterForm
          onChoose={(form) =>
            setSearch({ q: String(form.get('q')).trim(), state: String(form.get('state')) })
          }
        >
          <Field
            name="q"
            type="search"
            label={text('classes.name')}
            defaultValue={filter.q}
            maxLength={100}
            autoComplete="off"
          />
          <Select name="state" label={text('schoolClasses.state')} defaultValue={state ?? ''}>
            <option value="">{text('filter.any')}</option>
            {classStates.map((one) => (
              <option key={one} value={one}>
                {text(`schoolClasses.state.${one}`)}
              </option>
            ))}
          </Select>
        </FilterForm>
        <ClassList filter={filter} heading={heading} />
      </AdministratorsOnly>
    </Page>
  )
}

interface ListProps {
  filter: OrganizationClassFilter
  /** It takes the focus when the row that had the focus disappears. */
  heading: RefObject<HTMLHeadingElement | null>
}

function ClassList({ filter, heading }: ListProps) {
  const { text } = useTexts()
  const classes = useInfiniteQuery(organizationClassesQuery(filter))
  return (
    <QueryContent query={classes}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows)
        const isFiltered = filter.q !== '' || filter.state !== undefined
        return (
          <>
            <p role="status" className="hint">
              {rows.length > 0
                ? text('schoolClasses.count', { shown: rows.length })
                : text(isFiltered ? 'schoolClasses.noMatch' : 'schoolClasses.none')}
            </p>
            <ClassTable rows={rows} heading={heading} />
            {classes.hasNextPage && (
              <Button onPress={() => void classes.fetchNextPage()}>{text('library.more')}</Button>
            )}
          </>
        )
      }}
    </QueryContent>
  )
}

interface TableProps {
  rows: readonly OrganizationClass[]
  heading: RefObject<HTMLHeadingElement | null>
}

function ClassTable({ rows, heading }: TableProps) {
  const texts = useTexts()
  const { text, language } = texts
  const { change, error } = useStateChange({ rows, heading })
  const columns: readonly Column<OrganizationClass>[] = [
    {
      title: text('table.name'),
      isRowHeader: true,
      content: ({ id, name, section }) => (
        <>
          <Link href={pathTo('/classes/{class}', { class: id })}>{name}</Link>
          {section !== null && ` · ${section}`}
        </>
      ),
    },
    {
      title: text('classes.teachers'),
      content: ({ teachers }) => teachers.map(({ name }) => name).join(', ') || text('classes.nobody'),
    },
    {
      title: text('classes.students'),
      content: ({ students }) => new Intl.NumberFormat(language).format(students),
    },
    { title: text('schoolClasses.state'), content: ({ state }) => text(`schoolClasses.state.${state}`) },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: (row) => {
        const action = row.state === 'archived' ? 'restore' : 'archive'
        return (
          <Button
            isSecondary
            aria-label={text(`schoolClasses.name.${action}`, { name: row.name })}
            onPress={() => change(row)}
          >
            {text(`schoolClasses.do.${action}`)}
          </Button>
        )
      },
    },
  ]
  return (
    <>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      {rows.length > 0 && <Table rows={rows} columns={columns} keyOf={({ id }) => id} />}
    </>
  )
}

/** Archives a class, or restores an archived one. */
function useStateChange({ rows, heading }: TableProps) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const toast = useToast()
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: ({ id, state }: Pick<OrganizationClass, 'id' | 'state'>) =>
      call(state === 'archived' ? 'unarchiveClass' : 'archiveClass', { params: { class: id } }),
    async onSuccess(_changed, { id, state }) {
      toast({
        message: text(state === 'archived' ? 'schoolClasses.restored' : 'classes.archivedNow'),
        // A class that was not open yet would be open after it is restored.
        ...(state === 'active' && { undo: () => mutate({ id, state: 'archived' }) }),
      })
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['organization'] }),
        queries.invalidateQueries({ queryKey: ['classes'] }),
      ])
    },
  })
  // The row disappears if the filter does not include its new state.
  const isGone = variables !== undefined && rows.every(({ id }) => id !== variables.id)
  useEffect(() => {
    if (isGone && document.activeElement === document.body) heading.current?.focus()
  }, [isGone, heading])
  // A second click must not send the opposite change.
  return { change: (row: OrganizationClass) => !isPending && mutate(row), error }
}
