import Type from 'typebox'
import { named } from './schema.ts'

export const FlatErrorResponse = named(
  'FlatErrorResponse',
  Type.Object({
    code: Type.String({
      description: 'Stable name of the error, in upper case; docs/errors.md of the sources lists all.',
    }),
    message: Type.String({ description: 'What is wrong and, where it can be known, how to mend it.' }),
    id: Type.Optional(Type.String({ description: 'On errors of the server only: the id of the request in its log.' })),
    param: Type.Optional(Type.String({ description: 'The parameter or body field that was not accepted.' })),
  }),
)
