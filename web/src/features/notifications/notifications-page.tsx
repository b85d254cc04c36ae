import './notifications.css'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { IconName } from '../../../../src/contract/icons.ts'
import type { Notification, NotificationKind } from '../../../../src/contract/notifications.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { DueDatesSection } from './due-dates.tsx'
import { notificationsKey, notificationsQuery } from './queries.ts'

/** What happened to the work of the user, with links to the work. */
export function NotificationsPage() {
  const { text } = useTexts()
  const queries = useQueryClient()
  const list = useInfiniteQuery(notificationsQuery)

  async function markRead(id: string, andOlder: boolean) {
    await call('markNotificationsRead', { body: { id, andOlder } })
    await queries.invalidateQueries({ queryKey: notificationsKey })
  }

  return (
    <Page title={text('notifications.title')}>
      <QueryContent query={list}>
        {({ pages }) => {
          const all = pages.flatMap(({ notifications }) => notifications)
          const [newest] = all
          const unread = pages[0]?.unread ?? 0
          return (
            <>
              <p role="status" className="hint">
                {unread === 0
                  ? text('notifications.allRead')
                  : text('notifications.unread', { number: unread })}
              </p>
              {newest && unread > 0 && (
                <Button isSecondary onPress={() => void markRead(newest.id, true)}>
                  {text('notifications.markAll')}
                </Button>
              )}
              <List all={all} onOpen={(id) => void markRead(id, false)} />
              {list.hasNextPage && (
                <Button onPress={() => void list.fetchNextPage()}>{text('notifications.older')}</Button>
              )}
            </>
          )
        }}
      </QueryContent>
      <DueDatesSection />
    </Page>
  )
}

function List({ all, onOpen }: { all: readonly Notification[]; onOpen(id: string): void }) {
  const { text } = useTexts()
  if (all.length === 0) {
    return (
      <Empty icon="bell" title={text('notifications.none')}>
        <p>{text('notifications.what')}</p>
      </Empty>
    )
  }
  return (
    <ul className="notifications">
      {all.map((notification) => (
        <li key={notification.id}>
          <NotificationLink of={notification} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

const icons: Readonly<Record<NotificationKind, IconName>> = {
  assigned: 'pencil',
  dueTomorrow: 'clock',
  handedIn: 'sent',
  commented: 'comment',
  returned: 'done',
}

interface LinkProps {
  of: Notification
  onOpen(id: string): void
}

/** One notification. The link leads a teacher to the desk, and a student to the assignment. */
function NotificationLink({ of: { id, kind, isRead, date, by, teaches, ...of }, onOpen }: LinkProps) {
  const { text } = useTexts()
  const address = teaches ? '/classes/{class}/work/{assignment}/review' : '/classes/{class}/work/{assignment}'
  return (
    <Link
      href={pathTo(address, { class: of.class.id, assignment: of.assignment.id })}
      className={isRead ? undefined : 'unread'}
      onPress={() => !isRead && onOpen(id)}
    >
      <Icon name={icons[kind]} />
      <span>
        <span className="notification-kind">
          {text(`notifications.kind.${kind}`)}
          {!isRead && <strong>{text('notifications.new')}</strong>}
        </span>
        <span className="notification-title">{of.assignment.title}</span>
        <span className="notification-facts">
          {by !== null && <span>{by}</span>}
          <span>{of.class.name}</span>
          <Moment of={date} />
        </span>
      </span>
    </Link>
  )
}
