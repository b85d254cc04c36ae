import type { ClassCreation, ClassDetails } from '../../../../src/contract/classes.ts'
import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'
import { Select } from '../../ui/select.tsx'
import type { KnownErrors } from '../../ui/submission.ts'

const levels = ['elementary', 'middle', 'high', 'university', 'other'] as const
/** The names of the colors in class-list-page.css. The interface lets clients define them. */
const themes = ['blue', 'green', 'yellow', 'red', 'violet'] as const

/** The server knows the rules of the fields. */
export const knownErrors: KnownErrors = { name: ['name', 'classes.badName'] }

/** The fields of a class, for a new one and for its settings. */
export function ClassFields({ of }: { of?: ClassDetails }) {
  const { text } = useTexts()
  return (
    <>
      <Field
        name="name"
        label={text('classes.name')}
        hint={text('classes.nameHint')}
        defaultValue={of?.name ?? ''}
        isRequired
        maxLength={255}
        autoComplete="off"
      />
      <Field
        name="section"
        label={text('classes.section')}
        hint={text('classes.sectionHint')}
        defaultValue={of?.section ?? ''}
        maxLength={255}
        autoComplete="off"
      />
      <Field
        name="description"
        label={text('classes.description')}
        defaultValue={of?.description ?? ''}
        isMultiline
        maxLength={1000}
      />
      <Select name="level" label={text('classes.level')} defaultValue={of?.level ?? ''}>
        {/* A level cannot be taken away again. */}
        {of?.level === undefined && <option value="">{text('classes.noLevel')}</option>}
        {levels.map((level) => (
          <option key={level} value={level}>
            {text(`classes.level.${level}`)}
          </option>
        ))}
      </Select>
      <Select name="theme" label={text('classes.theme')} defaultValue={of?.theme ?? ''}>
        <option value="">{text('classes.noTheme')}</option>
        {themes.map((theme) => (
          <option key={theme} value={theme}>
            {text(`classes.theme.${theme}`)}
          </option>
        ))}
      </Select>
    </>
  )
}

/** Returns what the fields say, as the operations for classes take it. */
export function classOf(form: FormData): ClassCreation {
  const textOf = (name: string) => String(form.get(name)).trim()
  const level = levels.find((one) => one === form.get('level'))
  return {
    name: textOf('name'),
    section: textOf('section'),
    description: textOf('description'),
    theme: textOf('theme') || null,
    ...(level && { level }),
  }
}
