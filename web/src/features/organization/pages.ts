import type { AreaPages } from '../../app/area-pages.ts'
import { SettingsPage } from './settings-page.tsx'

export const pages: AreaPages<'organization'> = {
  '/organization/settings': SettingsPage,
}
