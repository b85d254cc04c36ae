import { rankedRoles } from '../../../../src/contract/roles.ts'
import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'
import { FilterForm } from '../../ui/filter-form.tsx'
import { Select } from '../../ui/select.tsx'
import { type MemberFilter, memberFilterOf } from './queries.ts'
import { RoleOptions } from './role-options.tsx'

interface Props {
  filter: MemberFilter
  onChoose(filter: MemberFilter): void
}

/** Filters the members by words, role and kind of account, while the user types. */
export function MemberFilterForm({ filter, onChoose }: Props) {
  const { text } = useTexts()
  return (
    <FilterForm
      onChoose={(form) => {
        const chosen = memberFilterOf(form)
        if (JSON.stringify(chosen) !== JSON.stringify(filter)) onChoose(chosen)
      }}
    >
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
    </FilterForm>
  )
}
