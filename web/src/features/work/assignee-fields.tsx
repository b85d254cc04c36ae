import { useQuery } from '@tanstack/react-query'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import type { ClassAssignmentUpdate } from '../../../../src/contract/assignments.ts'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import { useTexts } from '../../app/texts.ts'
import { nameOf } from '../../teaching/people.ts'
import { groupMembersQuery, subGroupsQuery } from '../../teaching/queries.ts'
import { CheckboxChoice, RadioChoice } from '../../ui/fields.tsx'
import { QueryContent } from '../../ui/query-content.tsx'

type Mode = NonNullable<ClassAssignment['assigneeMode']>

interface Props {
  /** The id of the class. */
  of: string
  /** The id of the group of all its students. */
  students: string
  assignment: ClassAssignment | undefined
  mode: Mode
  onChangeMode(mode: Mode): void
}

/** Who gets an assignment: the whole class, or some of its students and groups. */
export function AssigneeFields({ of, students, assignment, mode, onChangeMode }: Props) {
  const { text } = useTexts()
  return (
    <>
      <RadioGroup
        className="choices"
        value={mode}
        onChange={(value) => onChangeMode(value === 'selected' ? 'selected' : 'everyone')}
      >
        <Label>{text('work.for')}</Label>
        <RadioChoice value="everyone">{text('work.forEveryone')}</RadioChoice>
        <RadioChoice value="selected">{text('work.forSome')}</RadioChoice>
      </RadioGroup>
      {mode === 'selected' && <Names of={of} students={students} assignment={assignment} />}
    </>
  )
}

function Names({ of, students, assignment }: Pick<Props, 'of' | 'students' | 'assignment'>) {
  const { text } = useTexts()
  const everyone = useQuery(groupMembersQuery(students))
  const groups = useQuery(subGroupsQuery(of))
  return (
    <QueryContent query={everyone}>
      {(all) => (
        <>
          {groups.data && groups.data.length > 0 && (
            <CheckboxGroup
              name="groups"
              className="choices"
              // A group of the assignment was made from a group of the class.
              defaultValue={assignment?.assignedGroups?.map(({ id, parent }) => parent ?? id) ?? []}
            >
              <Label>{text('groups.title')}</Label>
              {groups.data.map(({ id, name }) => (
                <CheckboxChoice key={id} value={id}>
                  {name}
                </CheckboxChoice>
              ))}
            </CheckboxGroup>
          )}
          <CheckboxGroup
            name="students"
            className="choices"
            defaultValue={assignment?.assignedStudents ?? []}
          >
            <Label>{text('classes.students')}</Label>
            {all.map((user) => (
              <CheckboxChoice key={user.id} value={user.id}>
                {nameOf(user)}
              </CheckboxChoice>
            ))}
          </CheckboxGroup>
        </>
      )}
    </QueryContent>
  )
}

type Assignees = Pick<ClassAssignmentUpdate, 'assigneeMode' | 'assignedStudents' | 'classGroupIds'>

/** Returns what the fields say, as a request takes it. */
export function assigneesOf(form: FormData, mode: Mode): Assignees {
  if (mode === 'everyone') return { assigneeMode: mode, assignedStudents: [], classGroupIds: null }
  const chosen = (name: string) => form.getAll(name).map(String)
  return { assigneeMode: mode, assignedStudents: chosen('students'), classGroupIds: chosen('groups') }
}
