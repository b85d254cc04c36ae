import type { AreaPages } from '../../app/area-pages.ts'
import { ClassesPage } from './classes-page.tsx'
import { SettingsPage } from './settings-page.tsx'

export const pages: AreaPages<'organization'> = {
  '/organization/classes': ClassesPage,
  '/organization/settings': SettingsPage,
}
