import type { AreaPages } from '../../app/area-pages.ts'
import { ClassListPage } from './class-list-page.tsx'
import { ClassSettingsPage } from './class-settings-page.tsx'
import { ClassWorkPage } from './class-work-page.tsx'
import { EnrolmentCodePage } from './enrolment-code-page.tsx'
import { NewClassPage } from './new-class-page.tsx'
import { PeoplePage } from './people-page.tsx'

export const pages: AreaPages<'classes'> = {
  '/classes': ClassListPage,
  '/classes/new': NewClassPage,
  '/classes/{class}': ClassWorkPage,
  '/classes/{class}/code': EnrolmentCodePage,
  '/classes/{class}/people': PeoplePage,
  '/classes/{class}/settings': ClassSettingsPage,
}
