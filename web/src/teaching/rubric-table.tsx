import './rubric-table.css'
import type { RubricGrade } from '../../../src/contract/submissions.ts'
import { useTexts } from '../app/texts.ts'
import { type Choices, choicesOf, type Criterion, levelName } from './rubric.ts'

interface Props {
  criteria: readonly Criterion[]
  /** What the work has reached. Undefined before it was returned. */
  grades: readonly RubricGrade[] | undefined
}

/** The criteria of an assignment with their levels, and the level that the work has reached in each. */
export function RubricTable({ criteria, grades }: Props) {
  const { text } = useTexts()
  const choices = choicesOf(grades)
  return (
    <section className="rubric" aria-labelledby="rubric">
      <h2 id="rubric">{text('rubric.title')}</h2>
      <ul>
        {criteria.map((criterion) => (
          <li key={criterion.id}>
            <CriterionFacts criterion={criterion} />
            <Reached criterion={criterion} choices={choices} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The title and the description of a criterion. */
const CriterionFacts = ({ criterion: { title, description } }: { criterion: Criterion }) => (
  <>
    <h3>{title}</h3>
    {description && <p className="hint">{description}</p>}
  </>
)

function Reached({ criterion, choices }: { criterion: Criterion; choices: Choices }) {
  const { text, language } = useTexts()
  const { id, points: maximum, levels = [] } = criterion
  const points = choices[id]
  return (
    <>
      {points !== undefined && <strong>{text('work.points', { points, of: maximum })}</strong>}
      {levels.length > 0 && (
        <ol className="rubric-levels">
          {levels.map((level) => {
            const isReached = level.points === points
            return (
              <li key={level.points} data-reached={isReached || undefined}>
                {isReached && <span className="visually-hidden">{text('rubric.reached')} </span>}
                {levelName(level, language)}
              </li>
            )
          })}
        </ol>
      )}
    </>
  )
}
