import Type from 'typebox'
import { UserPublic } from '../../../contract/users.ts'
import { operation } from '../../../operation.ts'
import { countPublished, countListedScores } from '../../library/scores/lists.store.ts'
import { canSeeProfile, loadUser } from './policy.ts'
import { presentProfile } from './present.ts'

export const getUser = operation({
  id: 'getUser',
  tag: 'User',
  summary: 'Get the public profile of a user',
  description:
    'A token with the scope `account.education_profile` receives the name of a member of an ' +
    'organization. All other tokens receive only the id, the organization and the role. Of a private profile, ' +
    'other users receive only the id.',
  scopes: ['account.public_profile', 'account.education_profile'],
  anonymous: true,
  params: Type.Object({ user: Type.String({ description: 'The id of the user, or `me`.' }) }),
  responses: { 200: UserPublic },
  async handle({ ctx, actor, params }) {
    const user = await loadUser(ctx.db.read, actor, params.user)
    const profile = presentProfile(user, actor, ctx.config.publicUrl)
    if (!canSeeProfile(actor, user)) return profile
    const [published, likedScoresCount] = await Promise.all([
      countPublished(ctx.db.read, user.id),
      countListedScores(ctx.db.read, actor, { in: 'liked', user: user.id }),
    ])
    const { scores: ownedPublicScoresCount, likes: likesCount, plays: playsCount } = published
    return { ...profile, likedScoresCount, ownedPublicScoresCount, likesCount, playsCount }
  },
})
