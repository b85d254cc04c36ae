import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import type { GroupDetails } from '../../../../src/contract/groups.ts'
import type { UserPublic } from '../../../../src/contract/users.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { nameOf } from '../../teaching/people.ts'
import { groupMembersQuery, subGroupsQuery } from '../../teaching/queries.ts'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { CheckboxChoice, Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { type Column, Table } from '../../ui/table.tsx'

interface Props {
  /** The id of the class. */
  of: string
  /** The id of the group of all its students. */
  students: string
}

/** The groups of the students of a class, for work in groups and for work that differs. */
export function GroupsSection({ of, students }: Props) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [edited, setEdited] = useState<GroupDetails | 'new'>()
  const groups = useQuery(subGroupsQuery(of))
  const removal = useMutation({
    async mutationFn(group: string) {
      await call('deleteGroup', { params: { group } })
      await queries.invalidateQueries({ queryKey: ['groups'] })
      // The button that had the focus disappears.
      heading.current?.focus()
    },
  })
  const columns: readonly Column<GroupDetails>[] = [
    { title: text('table.name'), isRowHeader: true, content: ({ name }) => name },
    {
      title: text('classes.students'),
      content: ({ usersCount }) => new Intl.NumberFormat(texts.language).format(usersCount),
    },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: (group) => (
        <div className="buttons">
          <Button
            isSecondary
            aria-label={text('groups.changeNamed', { name: group.name })}
            onPress={() => setEdited(group)}
          >
            {text('groups.change')}
          </Button>
          <Confirmation
            action={text('groups.delete')}
            label={text('groups.deleteNamed', { name: group.name })}
            consequence={text('groups.deleteWhat')}
            onConfirm={() => removal.mutate(group.id)}
          />
        </div>
      ),
    },
  ]
  return (
    <section aria-labelledby="groups">
      <h2 id="groups" ref={heading} tabIndex={-1}>
        {text('groups.title')}
      </h2>
      <Notice isError>{removal.error ? errorText(texts, removal.error) : undefined}</Notice>
      <QueryContent query={groups}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{text('groups.none')}</p>
          ) : (
            <Table rows={rows} columns={columns} keyOf={({ id }) => id} />
          )
        }
      </QueryContent>
      <Button isSecondary onPress={() => setEdited('new')}>
        {text('groups.new')}
      </Button>
      {edited !== undefined && (
        <DialogSheet
          title={edited === 'new' ? text('groups.new') : text('groups.changeNamed', { name: edited.name })}
          isOpen
          onOpenChange={() => setEdited(undefined)}
        >
          {(close) => (
            <GroupEditor
              of={of}
              students={students}
              group={edited === 'new' ? undefined : edited}
              close={close}
            />
          )}
        </DialogSheet>
      )}
    </section>
  )
}

interface EditorProps extends Props {
  group: GroupDetails | undefined
  close(): void
}

/** Loads who is in the class and in the group, and then shows the form. */
function GroupEditor({ students, group, ...props }: EditorProps) {
  const everyone = useQuery(groupMembersQuery(students))
  const members = useQuery({ ...groupMembersQuery(group?.id ?? ''), enabled: group !== undefined })
  return (
    <QueryContent query={everyone}>
      {(all) => {
        if (group === undefined) return <GroupForm {...props} group={group} everyone={all} members={[]} />
        return (
          <QueryContent query={members}>
            {(chosen) => (
              <GroupForm {...props} group={group} everyone={all} members={chosen.map(({ id }) => id)} />
            )}
          </QueryContent>
        )
      }}
    </QueryContent>
  )
}

/** The server knows the rules of the fields. */
const knownErrors: KnownErrors = { name: ['name', 'groups.badName'] }

interface FormProps extends Omit<EditorProps, 'students'> {
  everyone: readonly UserPublic[]
  /** The ids of those who are in the group now. */
  members: readonly string[]
}

function GroupForm({ of, group, everyone, members, close }: FormProps) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const submission = useSubmission(knownErrors, async (form) => {
    const name = String(form.get('name')).trim()
    const chosen = form.getAll('members').map(String)
    if (group) await changeGroup(group, name, members, chosen)
    else
      await call('createGroup', {
        body: { type: 'classStudentsSubGroup', classroom: of, name, members: chosen },
      })
    await queries.invalidateQueries({ queryKey: ['groups'] })
    close()
  })
  return (
    <SubmissionForm submission={submission} action={text('groups.save')} onCancel={close}>
      <Field
        name="name"
        label={text('groups.name')}
        defaultValue={group?.name ?? ''}
        isRequired
        maxLength={200}
        autoComplete="off"
      />
      <CheckboxGroup name="members" defaultValue={[...members]} className="choices">
        <Label>{text('classes.students')}</Label>
        {everyone.map((user) => (
          <CheckboxChoice key={user.id} value={user.id}>
            {nameOf(user)}
          </CheckboxChoice>
        ))}
      </CheckboxGroup>
    </SubmissionForm>
  )
}

async function changeGroup(
  { id, name: oldName }: GroupDetails,
  name: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  if (name !== oldName) await call('renameGroup', { params: { group: id }, body: { name } })
  for (const user of after)
    if (!before.includes(user)) await call('addGroupUser', { params: { group: id }, body: { user } })
  for (const user of before)
    if (!after.includes(user)) await call('removeGroupUser', { params: { group: id, user } })
}
