import type { AreaPages } from '../../app/area-pages.ts'
import { NotificationsPage } from './notifications-page.tsx'

export const pages: AreaPages<'notifications'> = {
  '/notifications': NotificationsPage,
}
