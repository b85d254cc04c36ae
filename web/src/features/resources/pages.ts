import type { AreaPages } from '../../app/area-pages.ts'
import { FolderPage, LibraryPage } from './library-pages.tsx'
import { ResourcePage } from './resource-page.tsx'

export const pages: AreaPages<'resources'> = {
  '/library': LibraryPage,
  '/library/resource/{resource}': ResourcePage,
  '/library/{folder}': FolderPage,
}
