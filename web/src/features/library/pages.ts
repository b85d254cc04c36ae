import type { AreaPages } from '../../app/area-pages.ts'
import { HomePage } from './home-page.tsx'
import { LibraryPage } from './library-page.tsx'

export const pages: AreaPages<'library'> = {
  '/': HomePage,
  '/scores': LibraryPage,
}
