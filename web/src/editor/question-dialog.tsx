import type { FormEvent } from 'react'
import { Form } from 'react-aria-components/Form'
import { useTexts } from '../app/texts.ts'
import { Button } from '../ui/buttons.tsx'
import { DialogSheet } from '../ui/dialog-sheet.tsx'
import { Field } from '../ui/fields.tsx'
import { Select } from '../ui/select.tsx'
import type { Question, QuestionField } from './model/question.ts'

interface Props {
  question: Question
  onAnswer(answers: Readonly<Record<string, string>>): void
  onClose(): void
}

/** Asks what a command needs to know. */
export default function QuestionDialog({ question, onAnswer, onClose }: Props) {
  const { text } = useTexts()
  const answer = (event: FormEvent<HTMLFormElement>, close: () => void) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    close()
    onAnswer(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])))
  }
  return (
    <DialogSheet title={text(question.title)} isOpen onOpenChange={onClose}>
      {(close) => (
        <Form onSubmit={(event) => answer(event, close)}>
          {question.fields.map((field, index) => (
            <Input key={field.name} field={field} isFirst={index === 0} />
          ))}
          <div className="buttons">
            <Button type="submit">{text('editor.apply')}</Button>
            <Button isSecondary onPress={close}>
              {text('app.cancel')}
            </Button>
          </div>
        </Form>
      )}
    </DialogSheet>
  )
}

function Input({ field, isFirst }: { field: QuestionField; isFirst: boolean }) {
  const { text } = useTexts()
  const { name, label, hint, value = '', options } = field
  if (options) {
    return (
      <Select name={name} label={text(label)} isRequired>
        <option value="">{text('editor.choose')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name(text)}
          </option>
        ))}
      </Select>
    )
  }
  return (
    <Field
      name={name}
      label={text(label)}
      {...(hint && { hint: text(hint) })}
      defaultValue={value}
      autoFocus={isFirst}
      autoComplete="off"
    />
  )
}
