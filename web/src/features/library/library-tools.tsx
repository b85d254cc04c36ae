import { useId, useRef, useState } from 'react'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { LibraryFilters, owners, privacies } from './library-filters.tsx'
import { type Filters, type Sort, usualSort } from './queries.ts'
import type { Layout } from './score-items.tsx'
import { useTyped } from './use-typed.ts'

/** What the user looks for, and how the list is shown. Words and order are in the address, the layout is kept in the browser. */
export interface ToolState {
  readonly words: string
  readonly sort: Sort
  readonly layout: Layout
  readonly filters: Filters
  setWords(words: string): void
  setFilter(name: keyof Filters, value: string): void
  setSort(sort: string): void
  /** Sorts by a column, and the other way round if the list is sorted by it already. */
  sortBy(field: Sort['field']): void
  setLayout(layout: Layout): void
}

/** The orders to choose from: the parameter of the address, which is also the end of the key of the text. */
const sorts: Readonly<Record<string, Sort>> = {
  changed: usualSort,
  title: { field: 'title', direction: 'asc' },
  titleDown: { field: 'title', direction: 'desc' },
  composer: { field: 'composer', direction: 'asc' },
  composerDown: { field: 'composer', direction: 'desc' },
  longest: { field: 'duration', direction: 'desc' },
  shortest: { field: 'duration', direction: 'asc' },
  created: { field: 'creationDate', direction: 'desc' },
  createdUp: { field: 'creationDate', direction: 'asc' },
  changedUp: { field: 'modificationDate', direction: 'asc' },
}

const layoutKey = 'partita.library-layout'

export function useToolState(): ToolState {
  const { search, setSearch } = useRouter()
  const [layout, setLayout] = useState<Layout>(() =>
    localStorage.getItem(layoutKey) === 'list' ? 'list' : 'grid',
  )
  const sort = sorts[search.get('sort') ?? ''] ?? usualSort
  const setSort = (name: string) => setSearch({ sort: name === 'changed' ? undefined : name })
  return {
    words: search.get('q') ?? '',
    filters: {
      composer: search.get('composer') ?? undefined,
      instrument: search.get('instrument') ?? undefined,
      privacy: privacies.find((one) => one === search.get('privacy')),
      owner: owners.find((one) => one === search.get('owner')),
    },
    sort,
    layout,
    setWords: (q) => setSearch({ q }),
    setFilter: (name, value) => setSearch({ [name]: value }),
    setSort,
    sortBy(field) {
      const ofField = Object.entries(sorts).filter(([, one]) => one.field === field)
      const [name = 'changed'] = ofField.find(([, one]) => one !== sort) ?? []
      setSort(name)
    },
    setLayout(layout) {
      localStorage.setItem(layoutKey, layout)
      setLayout(layout)
    },
  }
}

interface ToolsProps {
  tools: ToolState
  /** The list can have scores of others. */
  hasOwners: boolean
}

/** The search field, the filters, the order, and the choice between sheets and lines. */
export function LibraryTools({ tools, hasOwners }: ToolsProps) {
  const { text } = useTexts()
  const ids = { search: useId(), sort: useId() }
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(tools.words, tools.setWords)
  useShortcuts([{ key: '/', text: 'shortcuts.search', run: () => field.current?.focus() }])
  const sortName = Object.keys(sorts).find((name) => sorts[name] === tools.sort) ?? 'changed'
  return (
    <search className="library-tools">
      <div>
        <label htmlFor={ids.search}>{text('library.search')}</label>
        <input
          ref={field}
          id={ids.search}
          type="search"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          placeholder={text('library.searchHint')}
          maxLength={200}
          autoComplete="off"
        />
      </div>
      <div>
        <label htmlFor={ids.sort}>{text('library.sort')}</label>
        <select id={ids.sort} value={sortName} onChange={({ target }) => tools.setSort(target.value)}>
          {Object.keys(sorts).map((name) => (
            <option key={name} value={name}>
              {text(`library.sort.${name as 'changed'}`)}
            </option>
          ))}
        </select>
      </div>
      <fieldset className="bare layouts">
        <legend className="visually-hidden">{text('library.layout')}</legend>
        {(['grid', 'list'] as const).map((layout) => (
          <Button
            key={layout}
            aria-label={text(`library.layout.${layout}`)}
            aria-pressed={tools.layout === layout}
            onPress={() => tools.setLayout(layout)}
          >
            <Icon name={layout} />
          </Button>
        ))}
      </fieldset>
      <LibraryFilters tools={tools} hasOwners={hasOwners} />
    </search>
  )
}
