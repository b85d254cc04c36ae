import type { AreaPages } from '../../app/area-pages.ts'
import { AccountPage } from './account-page.tsx'
import { DeveloperPage } from './developer-page.tsx'
import { NewTokenPage } from './new-token-page.tsx'
import { ProfilePage } from './profile-page.tsx'
import { WebhookPage } from './webhook-page.tsx'

export const pages: AreaPages<'account'> = {
  '/account': AccountPage,
  '/account/developer': DeveloperPage,
  '/account/profile': ProfilePage,
  '/account/developer/tokens/new': NewTokenPage,
  '/account/developer/webhooks/{webhook}': WebhookPage,
}
