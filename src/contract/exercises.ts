import Type, { type Static } from 'typebox'
import { extension, List, named, OneOf, Text, Title } from './schema.ts'

/**
 * What a worksheet asks, and what is answered: docs/exercises.md says how each kind is written and graded. None of it is in
 * the published interface, which only names exercises by their ids.
 */
const ExerciseAnswer = named(
  'ExerciseAnswer',
  Type.Object({
    exercise: Title({ description: 'The id of the exercise.' }),
    answer: List(Title(), {
      description: 'The ids of the choices, the names of the notes, or the durations, as the exercise wants them.',
    }),
  }),
)
export type ExerciseAnswer = Static<typeof ExerciseAnswer>

export const ExerciseAnswers = Type.Array(ExerciseAnswer, {
  ...extension,
  maxItems: 200,
  description: 'Takes the place of all that was answered before.',
})

export const Exercise = named(
  'Exercise',
  Type.Object(
    {
      id: Title(),
      type: OneOf(['multipleChoice', 'noteNaming', 'rhythm']),
      prompt: Type.Optional(Text()),
      points: Type.Optional(Type.Number({ minimum: 0, maximum: 10_000, default: 1 })),
      choices: Type.Optional(
        List(Type.Object({ id: Title(), text: Text() }), { description: 'Of `multipleChoice`: what can be chosen.' }),
      ),
      notes: Type.Optional(
        List(Type.String({ pattern: '^[A-G](#{1,2}|b{1,2})?[0-9]$', maxLength: 4 }), {
          description: 'Of `noteNaming`: the notes that are shown, as `F#4`. Their names are the solution.',
        }),
      ),
      solution: Type.Optional(
        List(Title(), {
          description:
            'Of `multipleChoice` the ids of the right choices, of `rhythm` the durations. For teachers only.',
        }),
      ),
    },
    extension,
  ),
)
export type Exercise = Static<typeof Exercise>
