import type { AreaPages } from '../../app/area-pages.ts'
import { EnterCodePage, JoinPage } from './join-pages.tsx'

export const pages: AreaPages<'join'> = {
  '/join': EnterCodePage,
  '/join/{code}': JoinPage,
}
