import type { AreaPages } from '../../app/area-pages.ts'
import { GradebookPage } from './gradebook-page.tsx'
import { ReviewPage } from './review-page.tsx'

export const pages: AreaPages<'review'> = {
  '/classes/{class}/gradebook': GradebookPage,
  '/classes/{class}/work/{assignment}/review': ReviewPage,
}
