import Type from 'typebox'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'

export const untrashCollection = operation({
  id: 'untrashCollection',
  tag: 'Collection',
  summary: 'Take a collection out of the trash (no longer possible)',
  description:
    'Always refused. A collection in the trash stays there until it is deleted; until then its owner can still see what ' +
    'is in it, and put that into another one. Its scores are not affected.',
  deprecated: true,
  scopes: ['collections'],
  params: Type.Object({ collection: Type.String() }),
  responses: {},
  errors: [400],
  async handle() {
    fail('COLLECTION_UNTRASH_UNSUPPORTED')
  },
})
