import type { AreaPages } from '../../app/area-pages.ts'
import { HomePage } from './home-page.tsx'
import { AllScoresPage, CollectionPage, LikedPage, SharedPage, TrashPage } from './library-pages.tsx'
import { UserPage } from './user-page.tsx'

export const pages: AreaPages<'library'> = {
  '/': HomePage,
  '/scores': AllScoresPage,
  '/scores/shared': SharedPage,
  '/scores/liked': LikedPage,
  '/scores/trash': TrashPage,
  '/scores/collections/{collection}': CollectionPage,
  '/users/{user}': UserPage,
}
