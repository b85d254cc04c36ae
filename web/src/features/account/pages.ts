import type { AreaPages } from '../../app/area-pages.ts'
import { AccountOverview } from './account-overview.tsx'
import { NewTokenPage } from './new-token.tsx'

export const pages: AreaPages<'account'> = {
  '/account': AccountOverview,
  '/account/tokens/new': NewTokenPage,
}
