import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import type { UserPublic } from '../../../../src/contract/users.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { ClassFrame } from '../../teaching/class-frame.tsx'
import { nameOf } from '../../teaching/people.ts'
import { classQuery, groupMembersQuery, managesClass } from '../../teaching/queries.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { GroupsSection } from './groups-section.tsx'

/** The teachers and students of a class. Its teachers see the code to join it, and manage students and groups. */
export function PeoplePage({ class: id }: AddressParameters<'/classes/{class}/people'>) {
  return (
    <ClassFrame id={id} address="/classes/{class}/people">
      {(schoolClass) => <People schoolClass={schoolClass} />}
    </ClassFrame>
  )
}

function People({ schoolClass }: { schoolClass: ClassDetails }) {
  const { text } = useTexts()
  const { id, state, enrollmentCode, teachersGroup, studentsGroup } = schoolClass
  const manages = managesClass(schoolClass) && state !== 'archived'
  return (
    <>
      {manages && enrollmentCode !== undefined && (
        <section aria-labelledby="code">
          <h2 id="code">{text('classes.code')}</h2>
          <p>{text(state === 'inactive' ? 'classes.codeInactive' : 'classes.codeWhat')}</p>
          <Copyable label={text('classes.code')}>{enrollmentCode}</Copyable>
          <div className="buttons">
            <ButtonLink href={pathTo('/classes/{class}/code', { class: id })}>
              {text('classes.showCode')}
            </ButtonLink>
            <ButtonLink href={pathTo('/classes/{class}/sign-in', { class: id })}>
              {text('classes.pins')}
            </ButtonLink>
          </div>
        </section>
      )}
      {teachersGroup && (
        <Members
          id="teachers"
          title={text('classes.teachers')}
          group={teachersGroup.id}
          of={id}
          manages={false}
        />
      )}
      {studentsGroup && (
        <Members
          id="students"
          title={text('classes.students')}
          group={studentsGroup.id}
          of={id}
          manages={manages}
        />
      )}
      {manages && studentsGroup && <GroupsSection of={id} students={studentsGroup.id} />}
    </>
  )
}

interface MembersProps {
  /** The id of the heading. */
  id: string
  title: string
  group: string
  /** The id of the class. */
  of: string
  /** Whether the user can remove members. */
  manages: boolean
}

function Members({ id, title, group, of, manages }: MembersProps) {
  const texts = useTexts()
  const { text } = texts
  const me = useMe()
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const members = useQuery(groupMembersQuery(group))
  const removal = useMutation({
    async mutationFn({ id: user }: UserPublic) {
      await call('deleteClassUser', { params: { class: of, user } })
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['groups'] }),
        queries.invalidateQueries({ queryKey: classQuery(of).queryKey }),
      ])
      // The button that had the focus disappears.
      heading.current?.focus()
    },
  })
  const columns: readonly Column<UserPublic>[] = [
    {
      title: text('table.name'),
      isRowHeader: true,
      content: (user) => (user.id === me.id ? text('classes.you', { name: nameOf(user) }) : nameOf(user)),
    },
    { title: text('members.username'), content: ({ username }) => username },
    ...(manages
      ? [
          {
            title: text('table.action'),
            hasNoLabel: true,
            content: (user: UserPublic) => (
              <Confirmation
                action={text('classes.remove')}
                label={text('classes.removeNamed', { name: nameOf(user) })}
                consequence={text('classes.removeWhat')}
                onConfirm={() => removal.mutate(user)}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <section aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <Notice>
        {removal.isSuccess ? text('classes.removed', { name: nameOf(removal.variables) }) : undefined}
      </Notice>
      <Notice isError>{removal.error ? errorText(texts, removal.error) : undefined}</Notice>
      <QueryContent query={members}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{text('classes.nobody')}</p>
          ) : (
            <Table rows={rows} columns={columns} keyOf={(user) => user.id} />
          )
        }
      </QueryContent>
    </section>
  )
}
