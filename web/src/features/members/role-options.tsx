import type { OrganizationRole } from '../../../../src/contract/users.ts'
import { useTexts } from '../../app/texts.ts'

/** The options of a select field for a role in the organization. */
export function RoleOptions({ roles }: { roles: readonly OrganizationRole[] }) {
  const { text } = useTexts()
  return roles.map((role) => (
    <option key={role} value={role}>
      {text(`members.role.${role}`)}
    </option>
  ))
}
