import type { AreaPages } from '../../app/area-pages.ts'
import { AuditLogPage } from './audit-log-page.tsx'

export const pages: AreaPages<'audit-log'> = {
  '/organization/audit-log': AuditLogPage,
}
