import type { AreaPages } from '../../app/area-pages.ts'
import { ClassSignInPage } from './class-sign-in-page.tsx'

export const pages: AreaPages<'class-sign-in'> = {
  '/classes/{class}/sign-in': ClassSignInPage,
}
