import Type from 'typebox'
import { named } from './schema.ts'

export const FlatErrorResponse = named(
  'FlatErrorResponse',
  Type.Object({
    code: Type.String({
      description:
        'Stable name of the error, in upper case. docs/errors.md in the source code lists all of ' + 'them.',
    }),
    message: Type.String({ description: 'What is wrong and, if known, how to fix it.' }),
    id: Type.Optional(
      Type.String({ description: 'For server errors only: the id of the request in the server log.' }),
    ),
    param: Type.Optional(Type.String({ description: 'The parameter or body field that was rejected.' })),
  }),
)
