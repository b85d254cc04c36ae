import type { EduResourcesTable } from '../../db/school-tables.ts'
import { sortKey } from '../../lib/sort-key.ts'
import type { Context } from '../../operation.ts'
import { privacyIn } from './policy.ts'
import type { Place } from './store.ts'

/** What a resource says of itself when it begins. */
export type About = Pick<EduResourcesTable, 'type' | 'title'> &
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

/** A resource as it begins in a place. */
export function newResource(
  { newId, clock }: Pick<Context, 'newId' | 'clock'>,
  creator: string,
  { user_id, organization_id, parent_id, place }: Place,
  about: About,
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
    ...about,
    id: newId(),
    user_id,
    organization_id,
    parent_id,
    place,
    creator_id: creator,
    privacy: privacyIn({ organization_id }),
    title_key: sortKey(about.title),
    created_at: now,
    updated_at: now,
  }
}
