import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Due } from '../../teaching/due.tsx'
import { ExercisePreview } from '../../teaching/exercise-answers.tsx'
import { RubricTable } from '../../teaching/rubric-table.tsx'
import { progressOf } from '../../teaching/work-state.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { DecisionDialog } from '../../ui/confirmation.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { CopyDialog, ToLibraryDialog } from './copy-dialogs.tsx'
import { StudentWork } from './student-work.tsx'
import { Task } from '../../teaching/task.tsx'

interface Props {
  schoolClass: ClassDetails
  assignment: ClassAssignment
}

/** What the class got, how far it is, and what a teacher can do with the assignment. */
export function TeacherWork({ schoolClass, assignment }: Props) {
  const { text } = useTexts()
  const { search, setSearch } = useRouter()
  if (search.get('as') === 'student') {
    return (
      <>
        <p className="notice">{text('work.previewWhat')}</p>
        <p>
          <Button isSecondary onPress={() => setSearch({ as: undefined })}>
            {text('work.previewEnd')}
          </Button>
        </p>
        <StudentWork schoolClass={schoolClass} assignment={asForStudents(assignment)} isPreview />
      </>
    )
  }
  const { state, scheduledDate, exercises, type } = assignment
  const { turnedIn, toReview } = progressOf(assignment)
  return (
    <>
      {state === 'draft' && (
        <p className="notice">
          {text('work.isDraft')}{' '}
          {scheduledDate !== undefined && <Due date={scheduledDate} label="work.scheduled" />}
        </p>
      )}
      {state === 'archived' && <p className="notice">{text('work.isArchived')}</p>}
      {state !== 'draft' && type !== 'none' && (
        <p>
          {text('work.turnedIn', { number: turnedIn })} · {text('work.toReview', { number: toReview })}
        </p>
      )}
      <Actions schoolClass={schoolClass} assignment={assignment} />
      <Task assignment={assignment} attachments={assignment.attachments} />
      {assignment.rubric && <RubricTable criteria={assignment.rubric.criteria} grades={undefined} />}
      {exercises && <ExercisePreview exercises={exercises} />}
    </>
  )
}

/** Returns what a student gets before beginning: nothing that is only for teachers, and no work. */
function asForStudents({ teacherInstructions: _, ...assignment }: ClassAssignment): ClassAssignment {
  const attachments = assignment.attachments.filter(({ teacherOnly }) => !teacherOnly)
  return { ...assignment, state: 'active', attachments, submissions: [] }
}

function Actions({ schoolClass, assignment }: Props) {
  const texts = useTexts()
  const { text } = texts
  const { goTo, setSearch } = useRouter()
  const queries = useQueryClient()
  const toast = useToast()
  const [dialog, setDialog] = useState<'delete' | 'copy' | 'library'>()
  const { capabilities, id, title, state } = assignment
  const params = { class: schoolClass.id, assignment: id }
  const { mutate, error } = useMutation({
    async mutationFn(action: 'publish' | 'archive' | 'unarchive' | 'delete') {
      if (action === 'publish') await call('updateClassAssignment', { params, body: { state: 'active' } })
      else if (action === 'archive') await call('archiveAssignment', { params })
      else if (action === 'unarchive') await call('unarchiveAssignment', { params })
      else await call('deleteAssignment', { params })
    },
    async onSuccess(_nothing, action) {
      if (action === 'delete') {
        goTo(pathTo('/classes/{class}', { class: schoolClass.id }))
        queries.removeQueries({ queryKey: ['classes', schoolClass.id, 'assignments', id] })
      }
      await queries.invalidateQueries({ queryKey: ['classes'] })
      const isReversible = action === 'archive'
      toast({
        message: text(`work.done.${action}`, { title }),
        ...(isReversible && { undo: () => mutate('unarchive') }),
      })
    },
  })
  // Only a draft goes without a trace. What students have seen is archived first.
  const canDelete = capabilities.canEdit || capabilities.canUnarchive
  return (
    <>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <div className="buttons">
        {capabilities.canPublishInClass && (
          <Button onPress={() => mutate('publish')}>{text('work.give')}</Button>
        )}
        {state !== 'draft' && assignment.type !== 'none' && (
          <ButtonLink href={pathTo('/classes/{class}/work/{assignment}/review', params)}>
            {text('review.title')}
          </ButtonLink>
        )}
        {capabilities.canEdit && (
          <ButtonLink isSecondary href={pathTo('/classes/{class}/work/{assignment}/edit', params)}>
            {text('groups.change')}
          </ButtonLink>
        )}
        <Button isSecondary onPress={() => setSearch({ as: 'student' })}>
          {text('work.preview')}
        </Button>
        <Button isSecondary onPress={() => setDialog('copy')}>
          {text('work.copy')}
        </Button>
        <Button isSecondary onPress={() => setDialog('library')}>
          {text('resources.make')}
        </Button>
        {capabilities.canArchive && state !== 'draft' && (
          <Button isSecondary onPress={() => mutate('archive')}>
            {text('work.archive')}
          </Button>
        )}
        {capabilities.canUnarchive && (
          <Button isSecondary onPress={() => mutate('unarchive')}>
            {text('work.unarchive')}
          </Button>
        )}
        {canDelete && (
          <Button isSecondary onPress={() => setDialog('delete')}>
            {text('groups.delete')}
          </Button>
        )}
      </div>
      {dialog === 'delete' && (
        <DecisionDialog
          title={text('work.deleteNamed', { title })}
          explanation={text('work.deleteWhat', { number: assignment.submissions.length })}
          action={text('groups.delete')}
          onConfirm={() => mutate('delete')}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'copy' && <CopyDialog {...params} onClose={() => setDialog(undefined)} />}
      {dialog === 'library' && <ToLibraryDialog {...params} onClose={() => setDialog(undefined)} />}
    </>
  )
}
