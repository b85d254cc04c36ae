import type { AreaPages } from '../../app/area-pages.ts'
import { NewScorePage } from './new-score-page.tsx'

export const pages: AreaPages<'new-score'> = {
  '/scores/new': NewScorePage,
}
