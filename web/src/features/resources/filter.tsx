import { type ReactNode, useId } from 'react'
import type { EduResource, Grade, TeachingTheme } from '../../../../src/contract/edu-resources.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'

export const subjects = [
  'composition',
  'music-theory',
  'general-music',
  'band',
  'choir',
  'orchestra',
  'jazz-ensemble',
  'music-technology',
  'other',
] as const satisfies readonly TeachingTheme[]

export const grades = [
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '10',
  '11',
  '12',
  'university',
] as const satisfies readonly Grade[]

/** Returns what the address filters by. */
export function useFilter() {
  const { search } = useRouter()
  const subject = subjects.find((one) => one === search.get('subject'))
  const grade = grades.find((one) => one === search.get('grade'))
  return { words: search.get('q') ?? '', subject, grade }
}

/** The search and the filters of a list. They are in the address. */
export function FilterTools() {
  const { text } = useTexts()
  const { setSearch } = useRouter()
  const { words, subject, grade } = useFilter()
  const id = useId()
  return (
    <search className="resource-tools">
      <div>
        <label htmlFor={id}>{text('library.search')}</label>
        <input
          id={id}
          type="search"
          defaultValue={words}
          onChange={({ target }) => setSearch({ q: target.value.trim() })}
          maxLength={200}
          autoComplete="off"
        />
      </div>
      <Choice name="subject" label={text('resources.subject')} value={subject}>
        {subjects.map((one) => (
          <option key={one} value={one}>
            {text(`resources.subject.${one}`)}
          </option>
        ))}
      </Choice>
      <Choice name="grade" label={text('resources.grade')} value={grade}>
        {grades.map((one) => (
          <option key={one} value={one}>
            {one === 'university' ? text('classes.level.university') : one}
          </option>
        ))}
      </Choice>
    </search>
  )
}

interface ChoiceProps {
  name: 'subject' | 'grade'
  label: string
  value: string | undefined
  /** `<option>` elements. */
  children: ReactNode
}

function Choice({ name, label, value, children }: ChoiceProps) {
  const { text } = useTexts()
  const { setSearch } = useRouter()
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value ?? ''} onChange={({ target }) => setSearch({ [name]: target.value })}>
        <option value="">{text('filter.any')}</option>
        {children}
      </select>
    </div>
  )
}

/** Writes subjects and grades, such as “Choir · Grades: 5, 6, 7”. */
export function SubjectsAndGrades({ of }: { of: EduResource }) {
  const { text } = useTexts()
  const ofSubjects = of.subjects?.map((one) => text(`resources.subject.${one}`)) ?? []
  const ofGrades =
    of.grades?.map((one) => (one === 'university' ? text('classes.level.university') : one)) ?? []
  const parts = [
    ...ofSubjects,
    ...(ofGrades.length > 0 ? [text('resources.gradesNamed', { grades: shortened(ofGrades) })] : []),
  ]
  return parts.length > 0 && <span>{parts.join(' · ')}</span>
}

/** Grades that follow each other become a range. */
function shortened(names: readonly string[]): string {
  const numbers = names.map(Number)
  const isRange =
    names.length > 2 &&
    numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1)
  return isRange ? `${names[0]}–${names.at(-1)}` : names.join(', ')
}
