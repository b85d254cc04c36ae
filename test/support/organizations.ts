import { type OrganizationChange, updateOrganization } from '../../src/features/organizations/store.ts'
import type { TestApp } from './app.ts'

/** Opens an organization to the outside, or closes it. */
export async function allowPublicScores({ ctx }: TestApp, organization: string, allowed: boolean): Promise<void> {
  const change = { allows_public_scores: allowed ? 1 : 0 } as const
  await ctx.transaction((tx) => updateOrganization(tx, organization, change))
}

/** Sets how much an organization may have. */
export async function limit({ ctx }: TestApp, organization: string, change: OrganizationChange): Promise<void> {
  await ctx.transaction((tx) => updateOrganization(tx, organization, change))
}
