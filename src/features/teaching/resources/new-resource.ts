import type { EduResourcesTable } from '../../../platform/db/school-tables.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type { Context } from '../../../context.ts'
import { privacyIn } from './policy.ts'
import type { ResourceLocation } from './store.ts'

/** The initial content of a resource. */
export type ResourceContent = Pick<EduResourcesTable, 'type' | 'title'> &
  Partial<
    Pick<
      EduResourcesTable,
      | 'description'
      | 'description_html'
      | 'subjects'
      | 'grades'
      | 'assignment_id'
      | 'assignment_type'
      | 'copied_from'
      | 'content_version'
    >
  >

/** Returns the row of a new resource in a place. */
export function newResource(
  { newId, clock }: Pick<Context, 'newId' | 'clock'>,
  creator: string,
  { user_id, organization_id, parent_id, place }: ResourceLocation,
  content: ResourceContent,
): EduResourcesTable {
  const now = clock.now()
  return {
    description: null,
    description_html: null,
    subjects: 0,
    grades: 0,
    assignment_id: null,
    assignment_type: null,
    copied_from: null,
    content_version: null,
    ...content,
    id: newId(),
    user_id,
    organization_id,
    parent_id,
    place,
    creator_id: creator,
    privacy: privacyIn({ organization_id }),
    title_key: sortKey(content.title),
    created_at: now,
    updated_at: now,
  }
}
