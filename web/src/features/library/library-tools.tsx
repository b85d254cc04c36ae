import { useEffect, useId, useRef, useState } from 'react'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { type Sort, usualSort } from './queries.ts'
import type { Layout } from './score-items.tsx'

/** What the user looks for, and how the list is shown. Words and order are in the address, the layout is kept in the browser. */
export interface ToolState {
  readonly words: string
  readonly sort: Sort
  readonly layout: Layout
  setWords(words: string): void
  setSort(sort: string): void
  setLayout(layout: Layout): void
}

/** The orders to choose from: the parameter of the address, which is also the end of the key of the text. */
const sorts: Readonly<Record<string, Sort>> = {
  changed: usualSort,
  title: { field: 'title', direction: 'asc' },
  titleDown: { field: 'title', direction: 'desc' },
  created: { field: 'creationDate', direction: 'desc' },
  changedUp: { field: 'modificationDate', direction: 'asc' },
}

const layoutKey = 'partita.library-layout'

export function useToolState(): ToolState {
  const { search, setSearch } = useRouter()
  const [layout, setLayout] = useState<Layout>(() =>
    localStorage.getItem(layoutKey) === 'list' ? 'list' : 'grid',
  )
  return {
    words: search.get('q') ?? '',
    sort: sorts[search.get('sort') ?? ''] ?? usualSort,
    layout,
    setWords: (q) => setSearch({ q }),
    setSort: (sort) => setSearch({ sort: sort === 'changed' ? undefined : sort }),
    setLayout(layout) {
      localStorage.setItem(layoutKey, layout)
      setLayout(layout)
    },
  }
}

/** Milliseconds without a key after which the words are searched. */
const searchDelay = 150

/** The search field, the order, and the choice between sheets and lines. */
export function LibraryTools({ tools }: { tools: ToolState }) {
  const { text } = useTexts()
  const ids = { search: useId(), sort: useId() }
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(tools.words)
  useShortcuts([{ key: '/', text: 'shortcuts.search', run: () => field.current?.focus() }])
  const { words, setWords } = tools
  useEffect(() => {
    if (typed.trim() === words) return
    const timer = setTimeout(() => setWords(typed.trim()), searchDelay)
    return () => clearTimeout(timer)
  }, [typed, words, setWords])
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
    </search>
  )
}
