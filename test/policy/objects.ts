import { wavOf } from '../support/recordings.ts'
import { newCollection } from '../support/collections.ts'
import { addCollectionScore, giveEach } from '../support/sharing.ts'
import { type Caller, colleagues, type Grouped, idIn, type World } from './world.ts'

/**
 * The relations of a caller to an object, weakest first. Each includes the permissions of those before it.
 */
export const relations = ['none', 'reader', 'writer', 'administrator', 'owner'] as const
export type Relation = (typeof relations)[number]

export interface ObjectKind {
  /** Creates an object for one row of the table. */
  make(world: World): Promise<string>
  /**
   * Returns the caller's relation to the object.
   * @param takesKey whether the operation accepts a sharing key
   */
  relation(caller: Caller, takesKey: boolean): Relation
  /** The callers with a grant or a collection entry of their own, which they can remove. */
  holders?: readonly Caller[]
  /** Returns the query string of the request. */
  query?(world: World, id: string): Promise<string>
}
type ObjectKinds = Record<string, ObjectKind>

const toOwner = (caller: Caller): Relation => (caller === 'owner' ? 'owner' : 'none')
const toColleagues = (caller: Caller): Relation => (colleagues.includes(caller) ? 'reader' : toOwner(caller))
const toOutsider = (caller: Caller): Relation => (caller === 'outsider' ? 'owner' : 'none')
const toEveryone = (caller: Caller): Relation => (caller === 'outsider' ? 'owner' : 'reader')

/** Combines a default with exceptions for single callers. */
const but =
  (others: (caller: Caller) => Relation, named: Partial<Record<Caller, Relation>>) =>
  (caller: Caller): Relation =>
    named[caller] ?? others(caller)

/** Theo, Tara and Sam are collaborators with decreasing levels. */
const collaborators = ['teacher', 'teacherOfAnotherClass', 'student'] as const satisfies readonly Grouped[]
const outsiders = ['outsider', 'adminOfAnotherSchool'] as const
const levels = { teacher: 'admin', teacherOfAnotherClass: 'write', student: 'read' } as const
const toCollaborators = but(toOwner, {
  teacher: 'administrator',
  teacherOfAnotherClass: 'writer',
  student: 'reader',
})

async function giveToCollaborators(world: World, on: 'score' | 'collection', id: string): Promise<string> {
  const given = collaborators.map((caller) => [{ user: world.as[caller].id }, levels[caller]] as const)
  await giveEach(world.app, { on, id }, given)
  return id
}

async function giveToTheirGroups(world: World, on: 'score' | 'collection', id: string): Promise<string> {
  const given = collaborators.map((caller) => [{ group: world.groupOf[caller] }, levels[caller]] as const)
  await giveEach(world.app, { on, id }, given)
  return id
}

/** Gives two users of other organizations all access that a grant can give. */
async function giveToOutsiders(world: World, on: 'score' | 'collection', id: string): Promise<string> {
  const given = outsiders.map((caller) => [{ user: world.as[caller].id }, 'admin'] as const)
  await giveEach(world.app, { on, id }, given)
  return id
}

/** Creates a private score of the owner in a shared collection of the owner. */
async function inSharedCollection(world: World, giveTo: typeof giveToCollaborators): Promise<string> {
  const collection = await newCollection(world.app, world.owner, 'Shared')
  await giveTo(world, 'collection', collection)
  const score = await world.score('private')
  await addCollectionScore(world.app, collection, score, world.owner)
  return score
}

const keyOf = async ({ owner }: World, score: string): Promise<string> =>
  (await owner.get(`/scores/${score}`)).body.sharingKey

export const scores = {
  'a private score': { make: (world) => world.score('private'), relation: toOwner },
  'a score for the organization': {
    make: (world) => world.score('organizationPublic'),
    relation: toColleagues,
  },
  'a public score of an organization that no longer allows public scores': {
    async make(world) {
      const id = await world.score('private')
      const privacy = { privacy: 'public' } as const
      await world.app.ctx.transaction((tx) =>
        tx.updateTable('scores').set(privacy).where('id', '=', id).execute(),
      )
      return id
    },
    relation: toColleagues,
  },
  'a public score of an open organization': {
    make: (world) => world.score('public', world.openOwner),
    relation: () => 'reader',
  },
  'a score of an organization with a sharing key, without the key': {
    make: (world) => world.score('privateLink'),
    relation: toOwner,
  },
  'a score of an organization with a sharing key, by the key': {
    make: (world) => world.score('privateLink'),
    relation: (caller, takesKey) => (takesKey ? toColleagues(caller) : toOwner(caller)),
    query: async (world, id) => `?sharingKey=${await keyOf(world, id)}`,
  },
  'a score of an individual account with a sharing key, by the key': {
    make: (world) => world.score('privateLink', world.outsider),
    relation: (caller, takesKey) => (takesKey ? toEveryone(caller) : toOutsider(caller)),
    query: async ({ outsider }, id) => `?sharingKey=${(await outsider.get(`/scores/${id}`)).body.sharingKey}`,
  },
  'a public score of an individual account': {
    make: (world) => world.score('public', world.outsider),
    relation: toEveryone,
  },
  'a score in the trash': {
    async make(world) {
      const id = await world.score('organizationPublic')
      await world.owner.delete(`/scores/${id}`)
      return id
    },
    relation: toOwner,
  },

  'a private score that is shared with users': {
    make: async (world) => giveToCollaborators(world, 'score', await world.score('private')),
    relation: toCollaborators,
    holders: collaborators,
  },
  'a private score that is shared with groups': {
    make: async (world) => giveToTheirGroups(world, 'score', await world.score('private')),
    relation: toCollaborators,
  },
  'a private score in a collection that is shared with users': {
    make: (world) => inSharedCollection(world, giveToCollaborators),
    // A collection gives write access at most to the scores that it contains.
    relation: but(toCollaborators, { teacher: 'writer' }),
  },
  'a private score in a collection that is shared with groups': {
    make: (world) => inSharedCollection(world, giveToTheirGroups),
    relation: but(toCollaborators, { teacher: 'writer' }),
  },
  'a private score that its owner added to the collection of another user': {
    async make(world) {
      const score = await world.score('private')
      const collection = await newCollection(world.app, world.as.admin, 'Gathered')
      await addCollectionScore(world.app, collection, score, world.owner)
      return score
    },
    relation: but(toOwner, { admin: 'writer' }),
    holders: ['admin'],
  },
  'a score for the organization in a shared collection of another user': {
    async make(world) {
      const score = await world.score('organizationPublic')
      const collection = await newCollection(world.app, world.as.student, 'Kept')
      await addCollectionScore(world.app, collection, score, world.as.student)
      const given = (['otherStudent', 'outsider'] as const).map(
        (caller) => [{ user: world.as[caller].id }, 'admin'] as const,
      )
      await giveEach(world.app, { on: 'collection', id: collection }, given)
      return score
    },
    // A user with read access cannot give others access to the score.
    relation: toColleagues,
    holders: ['student'],
  },
  'a score that another user added to a collection with its sharing key': {
    async make(world) {
      const score = await world.score('privateLink')
      const collection = await newCollection(world.app, world.as.student, 'Kept')
      await addCollectionScore(world.app, collection, score, world.as.student, await keyOf(world, score))
      return score
    },
    relation: but(toOwner, { student: 'reader' }),
    holders: ['student'],
  },
  'a score that another user added with a sharing key that has changed': {
    async make(world) {
      const score = await world.score('privateLink')
      const collection = await newCollection(world.app, world.as.student, 'Kept')
      await addCollectionScore(world.app, collection, score, world.as.student, 'f'.repeat(128))
      return score
    },
    relation: toOwner,
  },
  'a private score that is shared with users outside the organization': {
    make: async (world) => giveToOutsiders(world, 'score', await world.score('private')),
    relation: toOwner,
  },
  'a private score of an individual account that is shared with users': {
    make: async (world) => giveToCollaborators(world, 'score', await world.score('private', world.outsider)),
    relation: (caller) => (caller === 'owner' ? 'none' : but(toCollaborators, { outsider: 'owner' })(caller)),
    holders: collaborators,
  },
  'a score in the trash that is shared with users': {
    async make(world) {
      const id = await giveToCollaborators(world, 'score', await world.score('organizationPublic'))
      await world.owner.delete(`/scores/${id}`)
      return id
    },
    relation: but(toOwner, { teacher: 'administrator' }),
    holders: collaborators,
  },
} as const satisfies ObjectKinds

export const users = {
  'a member of an organization': { make: async ({ owner }) => owner.id, relation: toColleagues },
  'an individual account': { make: async ({ outsider }) => outsider.id, relation: toEveryone },
} as const satisfies ObjectKinds

export const collections = {
  'a collection': { make: ({ app, owner }) => newCollection(app, owner, 'Mine'), relation: toOwner },
  'a collection that is shared with users': {
    make: async (world) =>
      giveToCollaborators(world, 'collection', await newCollection(world.app, world.owner, 'Ours')),
    relation: toCollaborators,
    holders: collaborators,
  },
  'a collection that is shared with groups': {
    make: async (world) =>
      giveToTheirGroups(world, 'collection', await newCollection(world.app, world.owner, 'Ours')),
    relation: toCollaborators,
  },
  'a collection that is shared with users outside the organization': {
    make: async (world) =>
      giveToOutsiders(world, 'collection', await newCollection(world.app, world.owner, 'Ours')),
    relation: toOwner,
  },
  'a collection of an individual account that is shared with users': {
    make: async (world) =>
      giveToCollaborators(world, 'collection', await newCollection(world.app, world.outsider, 'Ours')),
    relation: (caller) => (caller === 'owner' ? 'none' : but(toCollaborators, { outsider: 'owner' })(caller)),
    holders: collaborators,
  },
  'a collection in the trash that is shared with users': {
    async make(world) {
      const id = await newCollection(world.app, world.owner, 'Ours')
      await giveToCollaborators(world, 'collection', id)
      await world.owner.delete(`/collections/${id}`)
      return id
    },
    relation: toOwner,
  },
} as const satisfies ObjectKinds

export const tasks = {
  'a task': {
    async make(world) {
      const score = await world.score('organizationPublic')
      return idIn(await world.owner.post(`/scores/${score}/revisions/last/wav/task`))
    },
    relation: toOwner,
  },
} as const satisfies ObjectKinds

export const uploads = {
  'an upload of a recording': {
    make: async ({ owner }) => idIn(await owner.post('/recordingUploads', { size: wavOf().length })),
    relation: (caller) => (caller === 'owner' ? 'owner' : 'none'),
  },
} as const satisfies ObjectKinds

/**
 * Only administrators can change an organization. Other callers are refused before the object is looked up.
 */
const toAdministrators =
  (ofAnother: Relation): ObjectKind['relation'] =>
  (caller) =>
    caller === 'admin' ? 'administrator' : caller === 'adminOfAnotherSchool' ? ofAnother : 'reader'

export const organizations = {
  'the organization of the caller': { make: async () => '', relation: toAdministrators('administrator') },
} as const satisfies ObjectKinds

export const invitations = {
  'an invitation': {
    make: async ({ as }) => idIn(await as.admin.post('/organizations/invitations', {})),
    relation: toAdministrators('none'),
  },
  'an invitation to a role above': {
    async make({ app, school }) {
      const anna = await app.person(`anna${app.ctx.newId()}`, { organization: school, role: 'accountAdmin' })
      return idIn(await anna.post('/organizations/invitations', { organizationRole: 'accountAdmin' }))
    },
    relation: (caller) => (caller === 'adminOfAnotherSchool' ? 'none' : 'reader'),
  },
} as const satisfies ObjectKinds

/** The members that administrators manage. */
export const members = {
  'a teacher': { make: async ({ owner }) => owner.id, relation: toAdministrators('none') },
  'a student': { make: async ({ as }) => as.student.id, relation: toAdministrators('none') },
  'an administrator': {
    make: async ({ as }) => as.admin.id,
    relation: (caller) => (caller === 'adminOfAnotherSchool' ? 'none' : 'reader'),
  },
  'an individual account without an organization': {
    make: async ({ outsider }) => outsider.id,
    relation: (caller) => (caller === 'admin' || caller === 'adminOfAnotherSchool' ? 'none' : 'reader'),
  },
} as const satisfies ObjectKinds

/** The accounts that administrators manage. */
export const accounts = {
  'a member': {
    make: async ({ app, school }) => (await app.person(`m${app.ctx.newId()}`, { organization: school })).id,
    relation: toAdministrators('none'),
  },
  'a member of a role above': {
    async make({ app, school }) {
      return (await app.person(`anna${app.ctx.newId()}`, { organization: school, role: 'accountAdmin' })).id
    },
    relation: members['an administrator'].relation,
  },
  'an individual account': members['an individual account without an organization'],
} as const satisfies ObjectKinds

/** The caller's own data. */
export const own = {
  'the data of the caller': { make: async () => '', relation: () => 'owner' },
} as const satisfies ObjectKinds

/** An object that the operation never looks up. */
export const any = {
  anything: { make: async () => '0123456789abcdef01234567', relation: () => 'owner' },
} as const satisfies ObjectKinds
