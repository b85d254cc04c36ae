import { newResource } from '../support/resources.ts'
import type { ObjectKind, Standing } from './objects.ts'
import type { Caller, World } from './world.ts'

/** Who has no libraries: who learns, and who is a member of nothing. */
export const withoutLibraries: readonly Caller[] = ['student', 'otherStudent', 'outsider']

const staff: readonly Caller[] = ['teacher', 'teacherOfAnotherClass', 'admin']

const standing =
  (toStaff: Standing, toAdministrator: Standing = toStaff) =>
  (caller: Caller): Standing => {
    if (caller === 'owner') return 'owner'
    if (caller === 'admin') return toAdministrator
    return staff.includes(caller) ? toStaff : 'none'
  }

async function opened({ owner }: World, parent: string): Promise<string> {
  const id = await newResource(owner, 'Waltz', parent)
  await owner.put(`/eduResources/${id}`, { privacy: 'organizationPublic' })
  return id
}

/** Tess has made them. */
export const resourcesOfSchool = {
  'a private resource': { make: ({ owner }) => newResource(owner), standing: standing('none') },
  'a resource that is open to the organization': {
    make: (world) => opened(world, 'root'),
    standing: standing('reader'),
  },
  'a resource in the library of the organization': {
    make: (world) => opened(world, 'organization'),
    standing: standing('reader', 'administrator'),
  },
} as const satisfies Record<string, ObjectKind>

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
    standing: () => 'reader',
  },
} as const satisfies Record<string, ObjectKind>
