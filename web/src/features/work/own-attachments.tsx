import { useState } from 'react'
import type { ClassAttachmentCreation } from '../../../../src/contract/attachments.ts'
import type { AssignmentSubmission } from '../../../../src/contract/submissions.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { type AttachmentDraft, creationsOf, draftsOf } from './attachments.ts'
import { LinkField } from './link-field.tsx'
import { ScorePicker } from './score-picker.tsx'
import { AttachmentLink } from '../../teaching/task.tsx'

interface Props {
  submission: AssignmentSubmission
  /** Undefined if the list is only shown. */
  onChange?(attachments: ClassAttachmentCreation[]): void
}

/** The scores and links that the student adds to the work. */
export function OwnAttachments({ submission, onChange }: Props) {
  const { text } = useTexts()
  const [isPicking, setPicking] = useState(false)
  // The scores that the server made for the work, and recordings, stay without being named.
  const own = submission.attachments.filter(({ dedicated, track }) => !dedicated && track === undefined)
  const drafts = draftsOf({ attachments: own })
  const save = (changed: readonly AttachmentDraft[]) => onChange?.(creationsOf(changed, 'none'))
  if (own.length === 0 && !onChange) return null
  return (
    <section aria-label={text('work.own')}>
      {own.length > 0 && <h2>{text('work.own')}</h2>}
      <ul className="task-attachments">
        {own.map((attachment, index) => (
          // An attachment has no id of its own, and the same score can be attached twice.
          <li key={index}>
            <AttachmentLink attachment={attachment} />
            {onChange && (
              <Button
                isSecondary
                aria-label={text('work.detach', { title: attachment.title ?? attachment.url ?? '' })}
                onPress={() => save(drafts.toSpliced(index, 1))}
              >
                ×
              </Button>
            )}
          </li>
        ))}
      </ul>
      {onChange && (
        <details>
          <summary>{text('work.addOwn')}</summary>
          <Button isSecondary onPress={() => setPicking(true)}>
            {text('work.attachScore')}
          </Button>
          <LinkField
            onAdd={(url) => save([...drafts, { kind: 'other', title: url, creation: { type: 'link', url } }])}
          />
        </details>
      )}
      <DialogSheet title={text('work.attachScore')} isOpen={isPicking} onOpenChange={setPicking}>
        {(close) => (
          <ScorePicker
            onPick={({ id, title }) => {
              close()
              save([...drafts, { kind: 'score', score: id, title, use: 'read' }])
            }}
            onCancel={close}
          />
        )}
      </DialogSheet>
    </section>
  )
}
