import './task.css'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../src/contract/app-pages.ts'
import type { Assignment } from '../../../src/contract/assignments.ts'
import type { MediaAttachment } from '../../../src/contract/attachments.ts'
import { useTexts } from '../app/texts.ts'
import { Due } from './due.tsx'
import { Icon } from '../ui/icon.tsx'

interface Props {
  /** An assignment in a library has no date. */
  assignment: Assignment & { dueDate?: string | undefined }
  /** The attachments that the page does not show elsewhere. */
  attachments: readonly MediaAttachment[]
}

/** What an assignment asks for: the instructions, the attachments, the date and the points. */
export function Task({ assignment, attachments }: Props) {
  const { text } = useTexts()
  const { type, description, dueDate, maxPoints, teacherInstructions } = assignment
  return (
    <div className="task">
      <p className="task-facts">
        <span>{text(`work.type.${type}`)}</span>
        {dueDate !== undefined && <Due date={dueDate} />}
        {maxPoints !== undefined && <span>{text('work.upTo', { points: maxPoints })}</span>}
      </p>
      {description && <p className="task-text">{description}</p>}
      {teacherInstructions && (
        <p className="task-text notice">{text('work.teacherNote', { note: teacherInstructions })}</p>
      )}
      {attachments.length > 0 && (
        <ul className="task-attachments" aria-label={text('work.attachments')}>
          {attachments.map((attachment, index) => (
            // An attachment has no id of its own, and the same score can be attached twice.
            <li key={index}>
              <AttachmentLink attachment={attachment} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A link to what is attached. */
export function AttachmentLink({ attachment }: { attachment: MediaAttachment }) {
  const { text } = useTexts()
  const { score, url, title } = attachment
  const note = attachment.teacherOnly ? text('work.use.teacherOnly') : undefined
  if (score !== undefined) {
    return (
      <Link href={pathTo('/scores/{score}', { score })}>
        <Icon name="scores" />
        <span>{title || text('scorePage.title')}</span>
        {note && <span className="hint">{note}</span>}
      </Link>
    )
  }
  if (url === undefined) return <span>{title}</span>
  return (
    // The page behind the link gets neither our address nor a handle on this window.
    <a href={url} target="_blank" rel="noopener noreferrer">
      <Icon name="link" />
      <span>{title || url}</span>
      {note && <span className="hint">{note}</span>}
    </a>
  )
}
