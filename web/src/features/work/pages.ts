import type { AreaPages } from '../../app/area-pages.ts'
import { EditWorkPage } from './edit-work-page.tsx'
import { NewWorkPage } from './new-work-page.tsx'
import { WorkPage } from './work-page.tsx'

export const pages: AreaPages<'work'> = {
  '/classes/{class}/work/new': NewWorkPage,
  '/classes/{class}/work/{assignment}': WorkPage,
  '/classes/{class}/work/{assignment}/edit': EditWorkPage,
}
