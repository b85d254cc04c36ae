import type { AreaPages } from '../../app/area-pages.ts'
import { InvitationsPage } from './invitations-page.tsx'
import { MemberPage } from './member-page.tsx'
import { MembersPage } from './members-page.tsx'
import { RosterPage } from './roster-page.tsx'

export const pages: AreaPages<'members'> = {
  '/organization/invitations': InvitationsPage,
  '/organization/members': MembersPage,
  '/organization/members/import': RosterPage,
  '/organization/members/{member}': MemberPage,
}
