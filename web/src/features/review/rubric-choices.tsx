import { useId, useState } from 'react'
import type {
  AssignmentSubmission,
  AssignmentSubmissionUpdate,
} from '../../../../src/contract/submissions.ts'
import { useTexts } from '../../app/texts.ts'
import { type Choices, choicesOf, type Criterion, gradesOf, levelName, sumOf } from '../../teaching/rubric.ts'
import { Button } from '../../ui/buttons.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'

interface Props {
  name: string
  criteria: readonly Criterion[]
  submission: AssignmentSubmission
  /** Choices that are not complete, and so are not saved. They stay while the desk is open. */
  unsaved: Map<string, Choices>
  onChange(body: AssignmentSubmissionUpdate): void
}

/**
 * Grades by levels, as a draft. The keys 1 to 9 choose the level of the first criterion without one. The sum is saved when each
 * criterion has a level, so that no work is returned half graded.
 */
export function RubricChoices({ name, criteria, submission, unsaved, onChange }: Props) {
  const { text } = useTexts()
  const { id, draftRubric, rubric, draftGrade } = submission
  const [choices, setChoices] = useState(() => unsaved.get(id) ?? choicesOf(draftRubric ?? rubric))
  const next = criteria.find((criterion) => choices[criterion.id] === undefined)
  const grades = gradesOf(criteria, choices)

  function choose(criterion: Criterion, points: number) {
    const { [criterion.id]: before, ...others } = choices
    const changed: Choices = before === points ? others : { ...others, [criterion.id]: points }
    const complete = gradesOf(criteria, changed)
    setChoices(changed)
    if (complete) unsaved.delete(id)
    else unsaved.set(id, changed)
    if (complete) onChange({ draftGrade: sumOf(complete), rubric: complete })
    else if (typeof draftGrade === 'number') onChange({ draftGrade: null })
  }
  useShortcuts(
    ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((key) => ({
      key,
      text: 'rubric.choose' as const,
      run() {
        const level = next?.levels?.[Number(key) - 1]
        if (next && level) choose(next, level.points)
      },
    })),
  )
  return (
    <section className="rubric-choices" aria-label={text('rubric.of', { name })}>
      {criteria.map((criterion) => (
        <CriterionChoice
          key={criterion.id}
          criterion={criterion}
          isNext={criterion === next}
          points={choices[criterion.id]}
          onChoose={(points) => choose(criterion, points)}
        />
      ))}
      <p role="status">
        {grades ? (
          <>
            <strong>{text('work.points', { points: sumOf(grades), of: sumOf(criteria) })}</strong>{' '}
            {text(typeof draftGrade === 'number' ? 'review.isDraft' : 'review.isGiven')}
          </>
        ) : (
          text('rubric.incomplete', { number: Object.keys(choices).length, of: criteria.length })
        )}
      </p>
    </section>
  )
}

interface CriterionProps {
  criterion: Criterion
  /** Whether a digit chooses its level. */
  isNext: boolean
  points: number | undefined
  onChoose(points: number): void
}

function CriterionChoice({ criterion, isNext, points, onChoose }: CriterionProps) {
  const { language } = useTexts()
  const titleId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row
    <div role="group" aria-labelledby={titleId} className="criterion" data-next={isNext || undefined}>
      <p id={titleId}>{criterion.title}</p>
      <div className="levels">
        {criterion.levels?.map((level, index) => (
          <Button
            key={level.points}
            isSecondary
            aria-pressed={level.points === points}
            onPress={() => onChoose(level.points)}
          >
            {index < 9 && (
              <span className="level-key" aria-hidden="true">
                {index + 1}
              </span>
            )}{' '}
            {levelName(level, language)}
          </Button>
        ))}
      </div>
    </div>
  )
}
