import type { AreaPages } from '../../app/area-pages.ts'
import { MemberPage } from './member-page.tsx'
import { MembersPage } from './members-page.tsx'

export const pages: AreaPages<'members'> = {
  '/organization/members': MembersPage,
  '/organization/members/{member}': MemberPage,
}
