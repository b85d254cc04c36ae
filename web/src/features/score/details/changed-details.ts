import type { ScoreDetails, ScoreModification } from '../../../../../src/contract/scores.ts'
import { licenses } from './licenses.ts'

export const creationTypes = ['original', 'arrangement', 'other'] as const

const texts = [
  'subtitle',
  'composer',
  'arranger',
  'lyricist',
  'description',
  'licenseText',
] as const satisfies readonly (keyof ScoreDetails & keyof ScoreModification)[]

/**
 * Returns what of a score was changed in its form. What others change meanwhile stays as they have written it.
 * @param score as it was when the form was opened
 */
export function changedDetails(form: FormData, score: ScoreDetails): ScoreModification {
  const value = (name: string) => String(form.get(name) ?? '').trim()
  const title = value('title')
  const tags = tagsIn(value('tags'))
  const type = creationTypes.find((one) => one === value('creationType')) ?? null
  const license = licenses.find((one) => one === value('license')) ?? null
  return {
    ...(title !== score.title && { title }),
    ...Object.fromEntries(
      texts.filter((name) => value(name) !== (score[name] ?? '')).map((name) => [name, value(name) || null]),
    ),
    ...(tags.join() !== (score.tags ?? []).join() && { tags }),
    ...(type !== (score.creationType ?? null) && { creationType: type }),
    ...(license !== (score.license ?? null) && { license }),
  }
}

/** Returns the tags of a line, such as `#waltz, #piano` or `waltz piano`, each once. */
const tagsIn = (line: string): string[] => [...new Set(line.split(/[\s,;#]+/).filter((tag) => tag !== ''))]
