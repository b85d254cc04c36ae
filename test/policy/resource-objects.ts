import { insertNewAssignment } from '../../src/features/teaching/assignments/new-assignment.ts'
import { newResource as resourceRow } from '../../src/features/teaching/resources/new-resource.ts'
import { shippedLibrary } from '../../src/features/teaching/resources/policy.ts'
import { insertResource } from '../../src/features/teaching/resources/store.ts'
import { newFolder, newResource } from '../support/resources.ts'
import type { ObjectKind, Relation } from './objects.ts'
import type { Caller, World } from './world.ts'

/** The callers without libraries: students and individual accounts. */
export const withoutLibraries: readonly Caller[] = ['student', 'otherStudent', 'outsider']

const staff: readonly Caller[] = ['teacher', 'teacherOfAnotherClass', 'admin']

const relation =
  (toStaff: Relation, toAdministrator: Relation = toStaff) =>
  (caller: Caller): Relation => {
    if (caller === 'owner') return 'owner'
    if (caller === 'admin') return toAdministrator
    return staff.includes(caller) ? toStaff : 'none'
  }

type CreateResource = typeof newFolder

async function createOpen({ owner }: World, parent: string, make: CreateResource): Promise<string> {
  const id = await make(owner, 'Waltz', parent)
  await owner.put(`/eduResources/${id}`, { privacy: 'organizationPublic' })
  return id
}

/** Tess created these resources. */
const ofSchool = <Kind extends string>(kind: Kind, make: CreateResource) =>
  ({
    [`a private ${kind}`]: { make: ({ owner }) => make(owner), relation: relation('none') },
    [`a ${kind} that is open to the organization`]: {
      make: (world) => createOpen(world, 'root', make),
      relation: relation('reader'),
    },
    [`a ${kind} in the library of the organization`]: {
      make: (world) => createOpen(world, 'organization', make),
      relation: relation('reader', 'administrator'),
    },
  }) satisfies Record<string, ObjectKind>

export const resourcesOfSchool = ofSchool('resource', newResource)
export const folders = ofSchool('folder', newFolder)

export const resources = {
  ...resourcesOfSchool,
  'a public resource of an open organization': {
    async make({ app }) {
      const organization = await app.organization('Academy', true)
      const viola = await app.person(`viola${app.ctx.newId()}`, { organization, role: 'teacher' })
      const id = await newResource(viola)
      await viola.put(`/eduResources/${id}`, { privacy: 'public' })
      return id
    },
    relation: () => 'reader',
  },
  'a resource that ships with Partita': {
    make: ({ app: { ctx }, owner }) =>
      ctx.transaction(async (tx) => {
        const { id } = await insertNewAssignment(ctx, tx, { title: 'Waltz', creator: owner.id, class: null })
        const place = { user_id: null, organization_id: null, parent_id: null, place: shippedLibrary }
        const content = { type: 'assignment', title: 'Waltz', assignment_id: id } as const
        const resource = resourceRow(ctx, owner.id, place, content)
        await insertResource(tx, { ...resource, creator_id: null, privacy: 'public' })
        return resource.id
      }),
    relation: () => 'reader',
  },
} as const satisfies Record<string, ObjectKind>
