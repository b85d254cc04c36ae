import './fields.css'
import { type ReactNode, useId } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { FieldError as AriaFieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Radio } from 'react-aria-components/RadioGroup'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'

interface FieldProps extends TextFieldProps {
  label: string
  hint?: string
  /** What the question is about, such as a picture. It is above the box. */
  figure?: ReactNode
  /** The value may have several lines. */
  isMultiline?: boolean
  /** The limits of a number. */
  min?: number
  max?: number
  /** `any` for numbers with fractions. */
  step?: 'any'
}

/** A text field with its label, its hint and its error. */
export function Field({ label, hint, figure, isMultiline = false, min, max, step, ...props }: FieldProps) {
  return (
    <TextField {...props}>
      <Label>{label}</Label>
      {figure}
      {hint && <Hint>{hint}</Hint>}
      {isMultiline ? <TextArea /> : <Input min={min} max={max} step={step} />}
      <FieldError />
    </TextField>
  )
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <Text slot="description" elementType="p" className="hint">
      {children}
    </Text>
  )
}

/** The error of the field or group around it. */
export const FieldError = () => <AriaFieldError className="field-error" />

interface CheckboxFieldProps {
  name: string
  label: string
  hint: string
  defaultSelected?: boolean
  isSelected?: boolean
  onChange?(isSelected: boolean): void
}

/** A checkbox of its own, with its hint. */
export function CheckboxField({ label, hint, ...props }: CheckboxFieldProps) {
  const hintId = useId()
  return (
    <>
      <Checkbox {...props} value="on" className="choice own" aria-describedby={hintId}>
        <span className="mark" aria-hidden="true" />
        {label}
      </Checkbox>
      <p id={hintId} className="hint below">
        {hint}
      </p>
    </>
  )
}

interface ChoiceProps {
  value: string
  children: ReactNode
}

/** One of several checkboxes in a `CheckboxGroup`. */
export function CheckboxChoice({ value, children }: ChoiceProps) {
  return (
    <Checkbox value={value} className="choice">
      <span className="mark" aria-hidden="true" />
      {children}
    </Checkbox>
  )
}

/** One of several radio buttons in a `RadioGroup`. */
export function RadioChoice({ value, children }: ChoiceProps) {
  return (
    <Radio value={value} className="choice">
      <span className="mark round" aria-hidden="true" />
      {children}
    </Radio>
  )
}
