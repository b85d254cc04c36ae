import { useState } from 'react'
import type { AssignmentType } from '../../../../src/contract/assignments.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { type AttachmentDraft, type ScoreUse, useIn, usesIn } from './attachments.ts'
import { LinkField } from './link-field.tsx'
import { ScorePicker } from './score-picker.tsx'

interface Props {
  type: AssignmentType
  attachments: readonly AttachmentDraft[]
  onChange(attachments: readonly AttachmentDraft[]): void
  /** What is wrong with the attachments. */
  error: string | undefined
}

/** The scores and links of an assignment. */
export function AttachmentFields({ type, attachments, onChange, error }: Props) {
  const { text } = useTexts()
  const [isPicking, setPicking] = useState(false)
  return (
    <fieldset className="bare">
      <legend>{text('work.attachments')}</legend>
      {attachments.length > 0 && (
        <ul className="attached">
          {attachments.map((attachment, index) => (
            // An attachment has no id of its own, and the same score can be attached twice.
            <li key={index}>
              <span className="attached-title">{attachment.title || text('scorePage.title')}</span>
              {attachment.kind === 'score' && (
                <UseChoice
                  type={type}
                  title={attachment.title}
                  use={attachment.use}
                  onChange={(use) => onChange(attachments.with(index, { ...attachment, use }))}
                />
              )}
              <Button
                isSecondary
                aria-label={text('work.detach', { title: attachment.title })}
                onPress={() => onChange(attachments.toSpliced(index, 1))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <p role="alert" className="field-error">
          {error}
        </p>
      )}
      <Button isSecondary onPress={() => setPicking(true)}>
        {text('work.attachScore')}
      </Button>
      <LinkField
        onAdd={(url) =>
          onChange([...attachments, { kind: 'other', title: url, creation: { type: 'link', url } }])
        }
      />
      <DialogSheet title={text('work.attachScore')} isOpen={isPicking} onOpenChange={setPicking}>
        {(close) => (
          <ScorePicker
            onPick={({ id, title }) => {
              close()
              onChange([...attachments, { kind: 'score', score: id, title, use: usesIn(type)[0] ?? 'read' }])
            }}
            onCancel={close}
          />
        )}
      </DialogSheet>
    </fieldset>
  )
}

interface UseProps {
  type: AssignmentType
  title: string
  use: ScoreUse
  onChange(use: ScoreUse): void
}

/** What the students do with a score. */
function UseChoice({ type, title, use, onChange }: UseProps) {
  const { text } = useTexts()
  const uses = usesIn(type)
  return (
    <select
      aria-label={text('work.useOf', { title })}
      value={useIn(type, use)}
      onChange={({ target }) => onChange(uses.find((one) => one === target.value) ?? 'read')}
    >
      {uses.map((one) => (
        <option key={one} value={one}>
          {text(`work.use.${one}`)}
        </option>
      ))}
    </select>
  )
}
