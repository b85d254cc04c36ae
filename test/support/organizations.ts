import { type OrganizationChange, updateOrganization } from '../../src/features/people/organizations/store.ts'
import type { TestApp } from './app.ts'

/** Sets whether the scores of an organization may be public. */
export async function allowPublicScores(
  { ctx }: TestApp,
  organization: string,
  allowed: boolean,
): Promise<void> {
  const change = { allows_public_scores: allowed ? 1 : 0 } as const
  await ctx.transaction((tx) => updateOrganization(tx, organization, change))
}

/** Sets the limits of an organization. */
export async function limit(
  { ctx }: TestApp,
  organization: string,
  change: OrganizationChange,
): Promise<void> {
  await ctx.transaction((tx) => updateOrganization(tx, organization, change))
}
