import Type from 'typebox'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'

export const untrashCollection = operation({
  id: 'untrashCollection',
  tag: 'Collection',
  summary: 'Restore a collection from the trash (no longer supported)',
  description:
    'Always fails. A collection in the trash stays there until it is deleted. Until then its owner ' +
    'can list its scores and add them to another collection. The scores themselves are not ' +
    'affected.',
  deprecated: true,
  scopes: ['collections'],
  params: Type.Object({ collection: Type.String() }),
  responses: {},
  errors: [400],
  async handle() {
    fail('COLLECTION_UNTRASH_UNSUPPORTED')
  },
})
