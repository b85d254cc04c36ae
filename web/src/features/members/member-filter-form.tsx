import { useEffect, useEffectEvent, useRef } from 'react'
import { Form } from 'react-aria-components/Form'
import { rankedRoles } from '../../../../src/contract/roles.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { FilterFields } from '../../ui/filter-fields.tsx'
import { Select } from '../../ui/select.tsx'
import { type MemberFilter, memberFilterOf } from './queries.ts'
import { RoleOptions } from './role-options.tsx'

interface Props {
  filter: MemberFilter
  onChoose(filter: MemberFilter): void
}

/** How long the user has not typed before the list is read. */
const pauseMilliseconds = 250

/** Filters the members by words, role and kind of account, while the user types. */
export function MemberFilterForm({ filter, onChoose }: Props) {
  const { text } = useTexts()
  const form = useRef<HTMLFormElement>(null)
  const choose = useEffectEvent(() => {
    if (!form.current) return
    const chosen = memberFilterOf(new FormData(form.current))
    if (JSON.stringify(chosen) !== JSON.stringify(filter)) onChoose(chosen)
  })
  useEffect(() => {
    const element = form.current
    let timer: number | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => choose(), pauseMilliseconds)
    }
    element?.addEventListener('input', wait)
    return () => {
      clearTimeout(timer)
      element?.removeEventListener('input', wait)
    }
  }, [])
  return (
    <Form
      ref={form}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(memberFilterOf(new FormData(event.currentTarget)))
      }}
    >
      <FilterFields>
        <Field
          name="q"
          type="search"
          label={text('members.search')}
          defaultValue={filter.q ?? ''}
          maxLength={100}
          autoComplete="off"
        />
        <Select name="role" label={text('members.role')} defaultValue={filter.role ?? ''}>
          <option value="">{text('members.anyRole')}</option>
          <RoleOptions roles={rankedRoles} />
        </Select>
        <Select name="testAccounts" label={text('members.accounts')} defaultValue={filter.testAccounts ?? ''}>
          <option value="">{text('members.allAccounts')}</option>
          <option value="exclude">{text('members.withoutTest')}</option>
          <option value="only">{text('members.onlyTest')}</option>
        </Select>
      </FilterFields>
      <Button type="submit">{text('audit.show')}</Button>
    </Form>
  )
}
