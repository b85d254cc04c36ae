import { pathTo } from '../../../contract/app-pages.ts'
import type { Texts } from '../../../texts/catalogue.ts'
import type { DigestRow } from './notifications.ts'

/** The most lines of one mail. The page has the others. */
const mostLines = 40

/**
 * Returns the body of a mail: for each class what happened to which assignment, with the number of events if there are several. It
 * names no person and shows no grade and no comment, because a mail passes through other servers.
 */
export function digestText(
  rows: readonly DigestRow[],
  { text, publicUrl }: Pick<Texts, 'text'> & { publicUrl: string },
): string {
  let lines = 0
  const classes = [...Map.groupBy(rows, ({ class_id }) => class_id).values()].flatMap((ofClass) => {
    const events = [...Map.groupBy(ofClass, ({ kind, assignment_id }) => `${kind} ${assignment_id}`).values()]
    const shown = events.slice(0, mostLines - lines)
    lines += shown.length
    const [first] = ofClass
    return first && shown.length > 0 ? [`${first.class_name}\n\n${shown.map(eventText).join('\n')}`] : []
  })
  return classes.join('\n\n')

  function eventText(events: readonly DigestRow[]): string {
    const [event] = events as [DigestRow]
    const { kind, title, class_id, assignment_id, isTaught } = event
    const address = isTaught
      ? '/classes/{class}/work/{assignment}/review'
      : '/classes/{class}/work/{assignment}'
    const link = publicUrl + pathTo(address, { class: class_id, assignment: assignment_id })
    const count = events.length > 1 ? ` (${events.length})` : ''
    return `- ${text(`notifications.kind.${kind}`)}${count}: ${title}\n  ${link}`
  }
}
