import { mkdirSync, writeFileSync } from 'node:fs'
import { examplesPath } from '../src/contract/examples.ts'
import { type Tag, tags } from '../src/contract/tags.ts'
import { contentUrl } from '../src/lib/content.ts'
import { operations } from '../src/operations.ts'
import { recordExamples } from './examples/record.ts'

/** Records the examples of the OpenAPI document, in one file for each tag. */
const examples = await recordExamples()
mkdirSync(contentUrl('examples/'), { recursive: true })
for (const tag of Object.keys(tags) as Tag[]) {
  const own = Object.values(operations).filter((one) => one.tag === tag && one.id in examples)
  const recorded = Object.fromEntries(own.map(({ id }) => [id, examples[id]]))
  writeFileSync(contentUrl(examplesPath(tag)), `${JSON.stringify(recorded, null, 2)}\n`)
}
