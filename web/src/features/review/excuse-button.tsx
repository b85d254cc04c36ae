import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { useToast } from '../../ui/toasts.tsx'
import type { ReviewRow } from './rows.ts'

interface Props {
  schoolClass: ClassDetails
  assignment: ClassAssignment
  row: ReviewRow
}

/** Excuses a student from an assignment, or takes that back. Shows nothing for a group. */
export function ExcuseButton({ schoolClass, assignment, row: { key, isExcused } }: Props) {
  const texts = useTexts()
  const queries = useQueryClient()
  const toast = useToast()
  const { excusedStudents = [] } = assignment
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      call('updateClassAssignment', {
        params: { class: schoolClass.id, assignment: assignment.id },
        body: {
          excusedStudents: isExcused ? excusedStudents.filter((id) => id !== key) : [...excusedStudents, key],
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['classes', schoolClass.id] }),
    onError: (error) => toast({ message: errorText(texts, error) }),
  })
  if (isExcused === undefined || schoolClass.state === 'archived' || assignment.state === 'archived')
    return null
  return (
    <Button isSecondary className="excuse second" isPending={isPending} onPress={() => mutate()}>
      {texts.text(isExcused ? 'review.unexcuse' : 'review.excuse')}
    </Button>
  )
}
