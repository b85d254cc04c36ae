import './work-badge.css'
import type { IconName } from '../../../src/contract/icons.ts'
import { useTexts } from '../app/texts.ts'
import { Icon } from '../ui/icon.tsx'
import type { WorkState } from './work-state.ts'

const icons: Readonly<Record<WorkState, IconName>> = {
  toRead: 'scores',
  toDo: 'pencil',
  started: 'pencil',
  missing: 'clock',
  excused: 'close',
  turnedIn: 'sent',
  returned: 'done',
  graded: 'done',
}

/** The state of a student’s work, with a picture and a word: color alone would not tell everybody. */
export function WorkBadge({ state }: { state: WorkState }) {
  const { text } = useTexts()
  return (
    <span className="work-badge" data-state={state}>
      <Icon name={icons[state]} />
      {text(`work.state.${state}`)}
    </span>
  )
}
