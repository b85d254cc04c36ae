import type { ReactNode } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Radio } from 'react-aria-components/RadioGroup'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'

interface FieldProps extends TextFieldProps {
  label: string
  hint?: string
  hasLines?: boolean
}

/** What one writes, under its label and hint; what is wrong with it stands below. */
export function Field({ label, hint, hasLines = false, ...props }: FieldProps) {
  return (
    <TextField {...props}>
      <Label>{label}</Label>
      {hint && <Hint>{hint}</Hint>}
      {hasLines ? <TextArea /> : <Input />}
      <Wrong />
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

export const Wrong = () => <FieldError className="field-error" />

export function Choice({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Checkbox value={value} className="choice">
      <span className="mark" aria-hidden="true" />
      {children}
    </Checkbox>
  )
}

export function Alternative({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radio value={value} className="choice">
      <span className="mark round" aria-hidden="true" />
      {children}
    </Radio>
  )
}
