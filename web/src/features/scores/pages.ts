import type { AreaPages } from '../../app/area-pages.ts'
import { NewScorePage } from './new-score-page.tsx'

export const pages: AreaPages<'scores'> = {
  '/account/new-score': NewScorePage,
}
