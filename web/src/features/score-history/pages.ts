import type { AreaPages } from '../../app/area-pages.ts'
import { HistoryPage } from './history-page.tsx'

export const pages: AreaPages<'score-history'> = {
  '/scores/{score}/history': HistoryPage,
}
