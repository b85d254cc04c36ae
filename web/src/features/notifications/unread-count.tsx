import './unread-count.css'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../app/texts.ts'
import { unreadQuery } from './queries.ts'

/** The largest number that fits beside the bell. */
const most = 99

/** The number of unread notifications beside the bell. Shows nothing if there are none, or if it cannot be read. */
export default function UnreadCount() {
  const { text } = useTexts()
  const { data: unread = 0 } = useQuery(unreadQuery)
  if (unread === 0) return null
  return (
    <span className="unread-count">
      <span aria-hidden="true">{unread > most ? `${most}+` : unread}</span>
      <span className="visually-hidden">{text('notifications.unread', { number: unread })}</span>
    </span>
  )
}
