import type { AreaPages } from '../../app/area-pages.ts'
import { SecurityPage } from './security-page.tsx'

export const pages: AreaPages<'security'> = {
  '/account/security': SecurityPage,
}
