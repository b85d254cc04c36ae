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

/** Filters the members by words and by role. */
export function MemberFilterForm({ filter, onChoose }: Props) {
  const { text } = useTexts()
  return (
    <Form
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
      </FilterFields>
      <Button type="submit">{text('audit.show')}</Button>
    </Form>
  )
}
