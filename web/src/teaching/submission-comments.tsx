import './submission-comments.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ClassDetails } from '../../../src/contract/classes.ts'
import type { AssignmentSubmission, AssignmentSubmissionComment } from '../../../src/contract/submissions.ts'
import { call } from '../app/client.ts'
import { useMe } from '../app/queries.ts'
import { errorText, useTexts } from '../app/texts.ts'
import { Button } from '../ui/buttons.tsx'
import { Field } from '../ui/fields.tsx'
import { Moment } from '../ui/moment.tsx'
import { Notice } from '../ui/notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { nameOf } from './people.ts'
import { groupMembersQuery, managesClass } from './queries.ts'

type Of = Pick<AssignmentSubmission, 'id' | 'assignment' | 'classroom'>

const paramsOf = ({ classroom, assignment, id }: Of) => ({ class: classroom, assignment, submission: id })

const submissionCommentsQuery = (of: Of) =>
  queryOptions({
    queryKey: ['classes', of.classroom, 'assignments', of.assignment, 'comments', of.id],
    queryFn: () => call('getSubmissionComments', { params: paramsOf(of) }),
  })

/** The text of the field for a new message. */
export interface CommentField {
  value: string
  onChange(value: string): void
}

interface Props {
  schoolClass: ClassDetails
  submission: Of
  /** Nothing can be written in an archived class. */
  isReadOnly: boolean
  /** Help with writing, below the field. */
  tools?(field: CommentField): ReactNode
}

/** What the student and the teachers have written to each other about a work. */
export function SubmissionComments({ schoolClass, submission, isReadOnly, tools }: Props) {
  const texts = useTexts()
  const { text } = texts
  const me = useMe()
  const queries = useQueryClient()
  const query = submissionCommentsQuery(submission)
  const comments = useQuery(query)
  const isFromOthers = comments.data?.some(({ user }) => user !== me.id) === true
  const names = useNames(schoolClass, isFromOthers)
  const removal = useMutation({
    mutationFn: (comment: string) =>
      call('deleteSubmissionComment', { params: { ...paramsOf(submission), comment } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  })
  const mayDelete = ({ user }: AssignmentSubmissionComment) =>
    !isReadOnly && (user === me.id || managesClass(schoolClass))
  return (
    <section className="work-comments" aria-labelledby="comments">
      <h2 id="comments" tabIndex={-1}>
        {text('work.comments')}
      </h2>
      <Notice isError>{removal.error ? errorText(texts, removal.error) : undefined}</Notice>
      <QueryContent query={comments}>
        {(all) => (
          <ul>
            {all.map((comment) => {
              const author = comment.user === me.id ? text('work.you') : (names.get(comment.user ?? '') ?? '')
              return (
                <li key={comment.id} data-own={comment.user === me.id || undefined}>
                  <p className="comment-head">
                    <strong>{author}</strong> {comment.date && <Moment of={comment.date} />}
                    {mayDelete(comment) && (
                      <Button
                        isSecondary
                        aria-label={text('work.deleteComment', { name: author })}
                        onPress={() => comment.id && removal.mutate(comment.id)}
                      >
                        ×
                      </Button>
                    )}
                  </p>
                  <p className="comment-text">{comment.comment}</p>
                </li>
              )
            })}
          </ul>
        )}
      </QueryContent>
      {!isReadOnly && <NewComment of={submission} tools={tools} />}
    </section>
  )
}

/** Returns the names of the members of a class by id, if they are needed. */
function useNames(
  { teachersGroup, studentsGroup }: ClassDetails,
  enabled: boolean,
): ReadonlyMap<string, string> {
  const teachers = useQuery({ ...groupMembersQuery(teachersGroup?.id ?? ''), enabled })
  const students = useQuery({ ...groupMembersQuery(studentsGroup?.id ?? ''), enabled })
  return new Map([...(teachers.data ?? []), ...(students.data ?? [])].map((user) => [user.id, nameOf(user)]))
}

function NewComment({ of, tools }: { of: Of; tools: Props['tools'] }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const [value, setValue] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: (comment: string) =>
      call('postSubmissionComment', { params: paramsOf(of), body: { comment } }),
    async onSuccess() {
      setValue('')
      await queries.invalidateQueries({ queryKey: submissionCommentsQuery(of).queryKey })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (value.trim() !== '' && !isPending) mutate(value)
      }}
    >
      <Field
        label={text('work.newComment')}
        value={value}
        onChange={setValue}
        isMultiline
        maxLength={10_000}
      />
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <Button isSecondary type="submit" isPending={isPending}>
        {text('work.sendComment')}
      </Button>
      {tools?.({ value, onChange: setValue })}
    </form>
  )
}
