import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import type {
  AssignmentSubmission,
  AssignmentSubmissionUpdate,
} from '../../../../src/contract/submissions.ts'
import type { UserPublic } from '../../../../src/contract/users.ts'
import { call, download } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { musicQuery, pageQuery } from '../../score/source.ts'
import { useStaffSize } from '../../score/sheet/staff-size.ts'
import type { Choices } from '../../teaching/rubric.ts'
import { assignmentQuery, groupMembersQuery } from '../../teaching/queries.ts'
import { WorkBadge } from '../../teaching/work-badge.tsx'
import { Button } from '../../ui/buttons.tsx'
import { DecisionDialog } from '../../ui/confirmation.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useMedia } from '../../ui/use-media.ts'
import {
  type Filter,
  filters,
  gradedRows,
  gradeOf,
  matches,
  maximumOf,
  type ReviewRow,
  rowsOf,
} from './rows.ts'
import { WorkReview } from './work-review.tsx'
import { sourcesOf } from './sources.ts'

interface Props {
  schoolClass: ClassDetails
  assignment: ClassAssignment
  students: readonly UserPublic[]
}

/** The list of works and the chosen one. The address names the chosen one, so that a link leads to it. */
export function Desk({ schoolClass, assignment, students }: Props) {
  const { text } = useTexts()
  const { search, setSearch } = useRouter()
  const [filter, setFilter] = useState<Filter>('all')
  const all = rowsOf(assignment, students, Date.now())
  const current = all.find(({ key }) => key === search.get('student')) ?? firstToReview(all)
  // The current work stays in the list while it is shown, also if it no longer matches after it was graded.
  const rows = all.filter((row) => row === current || matches(row, filter))
  const place = current ? rows.indexOf(current) : -1
  const [previous, next] = [rows[place - 1], rows[place + 1]]
  const choose = (row: ReviewRow | undefined) => row && setSearch({ student: row.key })
  const mayReadScores = useMayReadScores(schoolClass)
  usePrefetch(mayReadScores ? rows.slice(place + 1, place + 1 + prefetched) : [])
  useShortcuts([
    { key: 'j', text: 'review.next', run: () => choose(next) },
    { key: 'k', text: 'review.previous', run: () => choose(previous) },
  ])
  const change = useChange(schoolClass, assignment)
  const [unsaved] = useState(() => new Map<string, Choices>())
  // Where the list is above the work (review.css), the works come first.
  const isNarrow = useMedia('(max-width: 60rem)')
  if (!current) return <p>{text('review.nobody')}</p>
  const tools = <Tools schoolClass={schoolClass} assignment={assignment} rows={all} />
  return (
    <>
      {!isNarrow && tools}
      <div className="desk">
        <div className="desk-list">
          <label htmlFor="filter">{text('review.filter')}</label>
          <select
            id="filter"
            value={filter}
            onChange={({ target }) => setFilter(filters.find((one) => one === target.value) ?? 'all')}
          >
            {filters.map((one) => (
              <option key={one} value={one}>
                {`${text(`review.filter.${one}`)} (${all.filter((row) => matches(row, one)).length})`}
              </option>
            ))}
          </select>
          <ul>
            {rows.map((row) => (
              <ListedWork key={row.key} row={row} isCurrent={row === current} onChoose={() => choose(row)} />
            ))}
          </ul>
        </div>
        <WorkReview
          key={current.key}
          schoolClass={schoolClass}
          assignment={assignment}
          row={current}
          place={text('review.place', { place: place + 1, of: rows.length })}
          maximum={maximumOf(assignment)}
          mayReadScores={mayReadScores}
          error={change.error}
          unsaved={unsaved}
          onChange={(body) => change.send({ submission: current.submission, body })}
          {...(next && { onNext: () => choose(next) })}
          {...(previous && { onPrevious: () => choose(previous) })}
        />
      </div>
      {isNarrow && tools}
    </>
  )
}

const firstToReview = (rows: readonly ReviewRow[]): ReviewRow | undefined =>
  rows.find(({ state }) => state === 'turnedIn') ?? rows[0]

function ListedWork({ row, isCurrent, onChoose }: { row: ReviewRow; isCurrent: boolean; onChoose(): void }) {
  const { text, language } = useTexts()
  const element = useRef<HTMLLIElement>(null)
  const grade = row.submission && gradeOf(row.submission)
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li ref={element}>
      <Button className="desk-row" aria-current={isCurrent ? 'true' : undefined} onPress={onChoose}>
        <span className="desk-name">{row.name}</span>
        <span className="desk-facts">
          <WorkBadge state={row.state} />
          {row.isLate && <span>{text('review.late')}</span>}
          {grade !== undefined && <strong>{new Intl.NumberFormat(language).format(grade)}</strong>}
        </span>
      </Button>
    </li>
  )
}

/** Administrators do not read the scores of students, unless they teach the class. Undefined until it is known. */
function useMayReadScores({ teachersGroup }: ClassDetails): boolean | undefined {
  const me = useMe()
  const isAdministrator = me.organizationRole === 'admin' || me.organizationRole === 'accountAdmin'
  const teachers = useQuery({ ...groupMembersQuery(teachersGroup?.id ?? ''), enabled: isAdministrator })
  return isAdministrator ? teachers.data?.some(({ id }) => id === me.id) : true
}

/** The works after the current one that are loaded. The server may have to engrave each. */
const prefetched = 3

/** Loads the first pages of the next works, and the music of the next one, so that each is shown at once. */
function usePrefetch(following: readonly ReviewRow[]): void {
  const queries = useQueryClient()
  const staffSize = useStaffSize(false)
  const sources = following.flatMap(({ submission }) => (submission ? sourcesOf(submission).slice(0, 1) : []))
  // The list of works is new in each render.
  const wanted = JSON.stringify(sources.map(({ score, revision }) => ({ score, revision })))
  useEffect(() => {
    const scores: { score: string; revision: string }[] = JSON.parse(wanted)
    const [next] = scores
    for (const { score, revision } of scores)
      void queries.prefetchQuery(
        pageQuery({ score, revision, sharingKey: undefined }, { page: 1, staffSize }),
      )
    if (next) void queries.prefetchQuery(musicQuery({ ...next, sharingKey: undefined }))
  }, [queries, wanted, staffSize])
}

interface Change {
  readonly submission: AssignmentSubmission | undefined
  readonly body: AssignmentSubmissionUpdate
}

/** Grades and returns works. The list shows the change before the server has answered. */
function useChange(schoolClass: ClassDetails, assignment: ClassAssignment) {
  const texts = useTexts()
  const queries = useQueryClient()
  const { queryKey } = assignmentQuery(schoolClass.id, assignment.id)
  const replace = (changed: AssignmentSubmission) =>
    queries.setQueryData<ClassAssignment>(
      queryKey,
      (shown) =>
        shown && {
          ...shown,
          submissions: shown.submissions.map((one) => (one.id === changed.id ? changed : one)),
        },
    )
  const { mutate, error } = useMutation({
    async mutationFn({ submission, body }: Change) {
      if (!submission) return undefined
      const params = { class: schoolClass.id, assignment: assignment.id, submission: submission.id }
      return call('editSubmission', { params, body })
    },
    onMutate({ submission, body: { draftGrade, rubric: draftRubric } }) {
      if (!submission || draftGrade === undefined) return
      const { draftRubric: _before, ...others } = submission
      replace({ ...others, draftGrade, ...(draftRubric && { draftRubric }) })
    },
    onSuccess: (changed) => changed && replace(changed),
    onError: () => queries.invalidateQueries({ queryKey }),
  })
  return { send: mutate, error: error ? errorText(texts, error) : undefined }
}

interface ToolsProps {
  schoolClass: ClassDetails
  assignment: ClassAssignment
  rows: readonly ReviewRow[]
}

/** Returns all works that have a grade, and exports the grades. */
function Tools({ schoolClass, assignment, rows }: ToolsProps) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const params = { class: schoolClass.id, assignment: assignment.id }
  const graded = gradedRows(rows)
  const { mutate, error } = useMutation({
    mutationFn: () =>
      call('returnSubmissions', {
        params,
        body: { submissions: graded.flatMap(({ submission }) => submission?.id ?? []) },
      }),
    async onSuccess(returned) {
      toast({ message: text('review.returnedAll', { number: returned.length }) })
      await queries.invalidateQueries({ queryKey: ['classes', schoolClass.id] })
      await queries.invalidateQueries({ queryKey: ['home'] })
    },
  })
  return (
    <>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <div className="buttons desk-tools">
        {schoolClass.state !== 'archived' && graded.length > 0 && (
          <Button onPress={() => setAsking(true)}>
            {text('review.returnAll', { number: graded.length })}
          </Button>
        )}
        <Button isSecondary onPress={() => void download('exportSubmissionsReviewsAsCsv', { params })}>
          {text('review.csv')}
        </Button>
        <Button isSecondary onPress={() => void download('exportSubmissionsReviewsAsExcel', { params })}>
          {text('review.excel')}
        </Button>
      </div>
      {isAsking && (
        <DecisionDialog
          title={text('review.returnAll', { number: graded.length })}
          explanation={text('review.returnAllWhat')}
          action={text('review.return')}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
