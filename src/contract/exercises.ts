import Type, { type Static } from 'typebox'
import { extension, List, named, OneOf, Text, Title } from './schema.ts'

/**
 * The exercises of a worksheet and the answers to them. docs/exercises.md describes how each kind is written
 * and graded. The published interface only references exercises by their ids.
 */
const ExerciseAnswer = named(
  'ExerciseAnswer',
  Type.Object({
    exercise: Title({ description: 'The id of the exercise.' }),
    answer: List(Title(), {
      description:
        'The ids of the choices, the names of the notes, or the durations, depending on the type of ' +
        'the exercise.',
    }),
  }),
)
export type ExerciseAnswer = Static<typeof ExerciseAnswer>

export const ExerciseAnswers = Type.Array(ExerciseAnswer, {
  ...extension,
  maxItems: 200,
  description: 'Replaces all earlier answers.',
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
        List(Type.Object({ id: Title(), text: Text() }), {
          description: 'For `multipleChoice`: the possible answers.',
        }),
      ),
      notes: Type.Optional(
        List(Type.String({ pattern: '^[A-G](#{1,2}|b{1,2})?[0-9]$', maxLength: 4 }), {
          description:
            'For `noteNaming`: the notes to show, for example `F#4`. The names of the notes are the ' +
            'solution.',
        }),
      ),
      clef: Type.Optional(
        OneOf(['treble', 'bass', 'alto', 'tenor'], {
          description:
            'For `noteNaming`: the clef before the notes. Without it, the notes determine the clef.',
        }),
      ),
      solution: Type.Optional(
        List(Title(), {
          description:
            'For `multipleChoice`: the ids of the correct choices. For `rhythm`: the durations. ' +
            'Returned to teachers only.',
        }),
      ),
    },
    extension,
  ),
)
export type Exercise = Static<typeof Exercise>
