import type { AreaPages } from '../../app/area-pages.ts'
import { ScorePage } from './score-page.tsx'

export const pages: AreaPages<'score'> = {
  '/scores/{score}': ScorePage,
}
