import type { AreaPages } from '../../app/area-pages.ts'
import { AppListPage } from './app-list-page.tsx'
import { AppPage } from './app-page.tsx'
import { NewAppPage } from './new-app-page.tsx'

export const pages: AreaPages<'apps'> = {
  '/account/developer/apps': AppListPage,
  '/account/developer/apps/new': NewAppPage,
  '/account/developer/apps/{app}': AppPage,
}
