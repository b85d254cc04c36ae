import Type, { type Static } from 'typebox'
import { paperFields } from './page-setup.ts'
import { pitchFields } from './pitches.ts'
import { playbackFields } from './playback.ts'
import { DateTime, List, named, OneOf, Self, Text } from './schema.ts'

/** The formats that a task can export. */
export const taskExportFormats = ['mp3', 'wav', 'pdf', 'abc'] as const
export type TaskExportFormat = (typeof taskExportFormats)[number]

const fields = {
  id: Type.String(),
  type: Type.Optional(
    Type.String({ description: '`audio-export`, `score-save` and `import-omr` are known types.' }),
  ),
  state: OneOf(['created', 'blocked', 'doing', 'done', 'canceled', 'error']),
  format: Type.Optional(Type.String()),
  score: Type.Optional(Type.String()),
  revision: Type.Optional(Type.String()),
  progress: Type.Optional(
    Type.Object({
      percent: Type.Optional(Type.Number()),
      text: Type.Optional(Type.String({ description: 'What the task is doing, in English.' })),
    }),
  ),
  creationDate: Type.Optional(DateTime),
  modificationDate: Type.Optional(DateTime),
  doneDate: Type.Optional(DateTime),
  result: Type.Optional(
    Type.Object({
      url: Type.Optional(
        Type.String({ description: 'Address of the file. It is valid for 15 minutes and needs no token.' }),
      ),
      error: Type.Optional(Type.String()),
    }),
  ),
  errorHistory: Type.Optional(Type.Array(Type.String())),
  isCancellable: Type.Optional(Type.Boolean({ readOnly: true })),
}

export const Task = named(
  'Task',
  Type.Object({
    ...fields,
    children: Type.Optional(Type.Array(Self<Static<ReturnType<typeof Type.Object<typeof fields>>>>())),
    collaborators: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Always empty. The field exists for clients that read the response of a score creation as ' +
          'a score.',
      }),
    ),
  }),
)
export type Task = Static<typeof Task>

export const TaskExportOptions = named(
  'TaskExportOptions',
  Type.Object({
    parts: Type.Optional(
      List(Text(), { description: 'The uuids of the parts to export. Defaults to all parts.' }),
    ),
    ...paperFields,
    ...pitchFields,
    ...playbackFields,
  }),
)
