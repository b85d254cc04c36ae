import { queryOptions } from '@tanstack/react-query'
import type { GroupType, ResourceCollaborator } from '../../../../../src/contract/sharing.ts'
import { call } from '../../../app/client.ts'
import type { Texts } from '../../../../../src/texts/catalogue.ts'
import { useTexts } from '../../../app/texts.ts'

const rights = ['read', 'write', 'admin'] as const
export type Right = (typeof rights)[number]

export const rightOf = ({
  aclWrite,
  aclAdmin,
}: Pick<ResourceCollaborator, 'aclWrite' | 'aclAdmin'>): Right =>
  aclAdmin ? 'admin' : aclWrite ? 'write' : 'read'

export const bodyOfRight = (right: Right) => ({
  aclRead: true,
  aclWrite: right !== 'read',
  aclAdmin: right === 'admin',
})

export const collaboratorsQuery = (score: string) =>
  queryOptions({
    queryKey: ['scores', score, 'access', 'collaborators'],
    queryFn: () => call('getScoreCollaborators', { params: { score } }),
  })

export const accessQuery = (score: string) =>
  queryOptions({
    queryKey: ['scores', score, 'access', 'ways'],
    queryFn: () => call('listScoreAccess', { params: { score } }),
  })

/** The automatic groups of a class have its name. */
export function groupName(
  text: Texts['text'],
  { name = '', type }: { name?: string; type?: GroupType },
): string {
  if (type === 'classTeachers') return text('sharing.teachersOf', { name })
  if (type === 'classStudents') return text('sharing.studentsOf', { name })
  return name
}

interface Props {
  label: string
  value: Right
  isDisabled?: boolean
  onChange(right: Right): void
}

export function RightSelect({ label, value, isDisabled = false, onChange }: Props) {
  const { text } = useTexts()
  return (
    <select
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={({ currentTarget }) => {
        const chosen = rights.find((one) => one === currentTarget.value)
        if (chosen) onChange(chosen)
      }}
    >
      {rights.map((right) => (
        <option key={right} value={right}>
          {text(`sharing.right.${right}`)}
        </option>
      ))}
    </select>
  )
}
