import type { ReactNode } from 'react'
import { rolesUpTo } from '../../../src/contract/roles.ts'
import { useMe } from '../app/queries.ts'
import { useTexts } from '../app/texts.ts'
import { Notice } from './notice.tsx'

/** Content for administrators of an organization. Others read at once what the server would answer. */
export function AdministratorsOnly({ children }: { children: ReactNode }) {
  const { text } = useTexts()
  const { organizationRole } = useMe()
  if (rolesUpTo(organizationRole).includes('admin')) return children
  return <Notice isError>{text('members.onlyAdministrators')}</Notice>
}
