import type { AreaPages } from '../../app/area-pages.ts'
import { EditPage } from './edit/lazy-edit-page.tsx'
import { SyncPage } from './sync/lazy-sync-page.tsx'
import { ScorePage } from './score-page.tsx'

export const pages: AreaPages<'score'> = {
  '/scores/{score}': ScorePage,
  '/scores/{score}/edit': EditPage,
  '/scores/{score}/sync': SyncPage,
}
