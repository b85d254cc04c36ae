import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import Type, { type TSchema } from 'typebox'
import { AssignmentType } from '../../../../contract/assignments.ts'
import { gradeNames, teachingThemes } from '../../../../contract/edu-resources.ts'
import { List, OneOf } from '../../../../contract/schema.ts'
import { contentUrl, readContentJson } from '../../../../lib/content.ts'
import { once } from '../../../../lib/once.ts'
import type { Edition } from './ship-content.ts'
import type { ShippedAssignment, ShippedScore } from './shipped-assignment.ts'

const Key = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' })
const Line = Type.String({ minLength: 1 })
const Paragraphs = Type.Array(Line, { minItems: 1 })

const indexSchema = strictObject({
  /** The edition. Installations with an earlier one are updated when they start. */
  version: Type.Integer({ minimum: 1 }),
  /** The folders of the lessons, in the order of the library. */
  lessons: Type.Array(Key, { uniqueItems: true }),
})

const lessonSchema = strictObject({
  title: Line,
  type: AssignmentType,
  subjects: List(OneOf(teachingThemes)),
  grades: List(OneOf(gradeNames)),
  about: Line,
  task: Paragraphs,
  teaching: Paragraphs,
  maxPoints: Type.Optional(Type.Integer({ minimum: 0 })),
  recording: Type.Optional(OneOf(['audio', 'video'])),
  allows: Type.Optional(List(OneOf(['metronome', 'speedChange', 'backingTrack']))),
  scores: Type.Optional(
    List(strictObject({ key: Key, use: OneOf(['read', 'write', 'copy', 'performance', 'teacherOnly']) })),
  ),
})

interface LessonFile extends Omit<ShippedAssignment, 'key' | 'scores'> {
  scores?: Omit<ShippedScore, 'musicXml'>[]
}

/**
 * Reads an edition of the content. The assignments are read when they are first needed, because most servers have them already.
 * @param folder relative to `content/`, or a file URL, with a slash at its end
 * @throws Error that names a file with a mistake and the place in it
 */
export function readShippedContent(folder = 'lessons/'): Edition {
  const path = `${folder}index.json`
  const { version, lessons } = readChecked<{ version: number; lessons: string[] }>(path, indexSchema)
  const assignments = once(() => lessons.map((key) => readLesson(key, `${folder}${key}/`)))
  return {
    version,
    get assignments() {
      return assignments()
    },
  }
}

function readLesson(key: string, folder: string): ShippedAssignment {
  const { scores = [], ...lesson } = readChecked<LessonFile>(`${folder}lesson.json`, lessonSchema)
  const withFile = (score: Omit<ShippedScore, 'musicXml'>): ShippedScore => ({
    ...score,
    musicXml: readFileSync(contentUrl(`${folder}${score.key}.musicxml`)),
  })
  return { key, ...lesson, scores: scores.map(withFile) }
}

const ajv = new Ajv({ strict: false })

function readChecked<Content>(path: string, schema: TSchema): Content {
  const value = readContentJson(path)
  if (!ajv.validate(schema, value)) {
    throw new Error(`content/${path}: ${ajv.errorsText(ajv.errors, { dataVar: '' })}`)
  }
  return value as Content
}

/** An object without other properties. */
function strictObject<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}
