import type { ComponentType } from 'react'
import { type AppAddress, type AppArea, appPages, matchPath } from '../../../src/contract/app-pages.ts'
import type { AreaPages } from './area-pages.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { loadTexts } from './texts.ts'

/** Each `import()` becomes a chunk of its own, which the browser loads when the user opens a page of the area. */
const areas: { readonly [Area in AppArea]: () => Promise<{ pages: AreaPages<Area> }> } = {
  account: () => import('../features/account/pages.ts'),
  apps: () => import('../features/apps/pages.ts'),
  security: () => import('../features/security/pages.ts'),
  library: () => import('../features/library/pages.ts'),
  score: () => import('../features/score/pages.ts'),
  'score-history': () => import('../features/score-history/pages.ts'),
  'new-score': () => import('../features/new-score/pages.ts'),
  classes: () => import('../features/classes/pages.ts'),
  'class-sign-in': () => import('../features/class-sign-in/pages.ts'),
  work: () => import('../features/work/pages.ts'),
  review: () => import('../features/review/pages.ts'),
  resources: () => import('../features/resources/pages.ts'),
  join: () => import('../features/join/pages.ts'),
  notifications: () => import('../features/notifications/pages.ts'),
  members: () => import('../features/members/pages.ts'),
  organization: () => import('../features/organization/pages.ts'),
  'audit-log': () => import('../features/audit-log/pages.ts'),
}

type Parameters = Readonly<Record<string, string>>

export interface LoadedPage {
  readonly Content: ComponentType<Parameters>
  readonly parameters: Parameters
}

/**
 * Loads the page at a path. Returns the not-found page if there is none.
 * @throws if the chunk or the texts of the area cannot be loaded
 */
export async function loadPage(path: string): Promise<LoadedPage> {
  const match = matchPath(path)
  if (!match) return { Content: NotFoundPage, parameters: {} }
  const area = appPages[match.address]
  const [{ pages }] = await Promise.all([areas[area](), loadTexts(area)])
  // The type of `areas` ensures that the area has this address, and `matchPath` found exactly its parameters.
  const { [match.address]: Content } = pages as unknown as Record<AppAddress, ComponentType<Parameters>>
  return { Content, parameters: match.parameters }
}
