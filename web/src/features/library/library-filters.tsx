import { useId, useState } from 'react'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import type { ToolState } from './library-tools.tsx'
import { useTyped } from './use-typed.ts'

export const privacies = ['private', 'privateLink', 'organizationPublic', 'public'] as const
export const owners = ['me', 'others'] as const

interface Props {
  tools: ToolState
  hasOwners: boolean
}

/** A button with the number of filters in use, and the filters below it. They are in the address. */
export function LibraryFilters({ tools, hasOwners }: Props) {
  const { text } = useTexts()
  const id = useId()
  const inUse = Object.values(tools.filters).filter(Boolean).length
  const [isOpen, setOpen] = useState(inUse > 0)
  return (
    <>
      <Button
        isSecondary
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onPress={() => setOpen(!isOpen)}
      >
        {inUse > 0 ? text('filter.inUse', { number: inUse }) : text('filter.title')}
      </Button>
      {isOpen && (
        <div id={id} className="library-filters">
          <Words tools={tools} name="composer" />
          <Words tools={tools} name="instrument" />
          <Choice tools={tools} name="privacy" values={privacies} />
          {hasOwners && <Choice tools={tools} name="owner" values={owners} />}
        </div>
      )}
    </>
  )
}

function Words({ tools, name }: { tools: ToolState; name: 'composer' | 'instrument' }) {
  const { text } = useTexts()
  const id = useId()
  const [typed, setTyped] = useTyped(tools.filters[name] ?? '', (value) => tools.setFilter(name, value))
  return (
    <div>
      <label htmlFor={id}>{text(`filter.${name}`)}</label>
      <input
        id={id}
        type="search"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        maxLength={200}
        autoComplete="off"
      />
    </div>
  )
}

interface ChoiceProps {
  tools: ToolState
  name: 'privacy' | 'owner'
  values: readonly (typeof privacies | typeof owners)[number][]
}

function Choice({ tools, name, values }: ChoiceProps) {
  const { text } = useTexts()
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{text(`filter.${name}`)}</label>
      <select
        id={id}
        value={tools.filters[name] ?? ''}
        onChange={({ target }) => tools.setFilter(name, target.value)}
      >
        <option value="">{text('filter.any')}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {text(`filter.is.${value}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
