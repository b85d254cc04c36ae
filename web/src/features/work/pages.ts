import type { AreaPages } from '../../app/area-pages.ts'
import { EditWorkPage, NewWorkPage } from './lazy-form-pages.tsx'
import { WorkPage } from './work-page.tsx'

export const pages: AreaPages<'work'> = {
  '/classes/{class}/work/new': NewWorkPage,
  '/classes/{class}/work/{assignment}': WorkPage,
  '/classes/{class}/work/{assignment}/edit': EditWorkPage,
}
