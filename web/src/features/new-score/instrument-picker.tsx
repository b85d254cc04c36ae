import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import type { Instrument, InstrumentGroup } from '../../../../src/contract/instruments.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { instrumentsQuery } from './queries.ts'

interface Props {
  onAdd(instrument: Instrument): void
}

/** Finds an instrument by its name in any language, or in the list of its group. */
export function InstrumentPicker({ onAdd }: Props) {
  const { text } = useTexts()
  const [words, setWords] = useState('')
  const found = useQuery(instrumentsQuery(useDeferredValue(words.trim())))
  return (
    <>
      <Field
        label={text('newScore.find')}
        hint={text('newScore.findHint')}
        type="search"
        autoComplete="off"
        maxLength={200}
        value={words}
        onChange={setWords}
        // Enter would send the form around the field.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      <QueryContent query={found}>{(groups) => <Found groups={groups} onAdd={onAdd} />}</QueryContent>
    </>
  )
}

const keyOf = ({ group, instrument }: Instrument): string => `${group}.${instrument}`

function Found({ groups, onAdd }: Props & { groups: readonly InstrumentGroup[] }) {
  const { text } = useTexts()
  const id = useId()
  const [chosen, setChosen] = useState('')
  const all = groups.flatMap(({ instruments }) => instruments)
  // The first instrument that was found is chosen until the user chooses another one of the list.
  const current = all.find((instrument) => keyOf(instrument) === chosen) ?? all[0]
  if (current === undefined) return <p role="status">{text('newScore.none')}</p>
  return (
    <>
      <label htmlFor={id}>{text('newScore.instrument')}</label>
      <select id={id} value={keyOf(current)} onChange={({ target }) => setChosen(target.value)}>
        {groups.map((group) => (
          <optgroup key={group.id} label={group.name}>
            {group.instruments.map((instrument) => (
              <option key={keyOf(instrument)} value={keyOf(instrument)}>
                {instrument.longName}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <p role="status" className="hint">
        {text('newScore.found', { number: all.length })}
      </p>
      <Button isSecondary onPress={() => onAdd(current)}>
        {text('newScore.add')}
      </Button>
    </>
  )
}
