import type { ScoreComparison } from '../../../../src/contract/scores.ts'
import type { Texts } from '../../../../src/texts/catalogue.ts'
import { useTexts } from '../../app/texts.ts'

/** As many changes as somebody reads. */
const mostListed = 100

/** The differences of two revisions in words. */
export function Changes({ comparison: { parts, measures } }: { comparison: ScoreComparison }) {
  const { text } = useTexts()
  if (parts.length === 0 && measures.length === 0) return <p>{text('history.same')}</p>
  const count = (kind: string) => measures.filter(({ change }) => change === kind).length
  const lines = [
    ...parts.map(({ name, change }) =>
      text(change === 'added' ? 'history.partAdded' : 'history.partRemoved', { part: name }),
    ),
    ...measures.flatMap((measure) => wordsOf({ text }, measure)),
  ]
  return (
    <section>
      <h2>{text('history.changes')}</h2>
      <p>
        {text('history.sum', {
          changed: count('changed'),
          added: count('added'),
          removed: count('removed'),
        })}
      </p>
      <ul className="history-changes">
        {lines.slice(0, mostListed).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > mostListed && <li>{text('history.more', { count: lines.length - mostListed })}</li>}
      </ul>
    </section>
  )
}

function wordsOf({ text }: Pick<Texts, 'text'>, measure: ScoreComparison['measures'][number]): string[] {
  const { number, change, parts } = measure
  if (change === 'added') return [text('history.measureAdded', { measure: number })]
  if (change === 'removed') return [text('history.measureRemoved', { measure: number })]
  return parts.map(({ name, additions, deletions, hasOtherChanges }) =>
    hasOtherChanges
      ? text('history.measureOther', { measure: number, part: name })
      : text('history.measureNotes', {
          measure: number,
          part: name,
          added: additions,
          removed: deletions,
        }),
  )
}
