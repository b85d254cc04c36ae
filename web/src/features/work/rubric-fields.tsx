import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { type CriterionDraft, criterionFaultOf, newCriterion, withLevel } from './rubric-drafts.ts'

interface Props {
  criteria: readonly CriterionDraft[]
  onChange(criteria: readonly CriterionDraft[]): void
  /** Whether what is missing is shown: after the first try to save. */
  showsFaults: boolean
}

/** The rubric of an assignment. Without criteria there is none. */
export function RubricFields({ criteria, onChange, showsFaults }: Props) {
  const { text } = useTexts()
  const levels = [text('rubric.notYet'), text('rubric.nearly'), text('rubric.secure')]
  const taken = criteria.map(({ id }) => id)
  return (
    <section aria-labelledby="rubric-fields">
      <h2 id="rubric-fields">{text('rubric.title')}</h2>
      <p className="hint">{text('rubric.hint')}</p>
      {criteria.map((criterion, index) => (
        <CriterionField
          key={criterion.id}
          number={index + 1}
          criterion={criterion}
          showsFault={showsFaults}
          onChange={(changed) => onChange(criteria.with(index, changed))}
          onRemove={() => onChange(criteria.toSpliced(index, 1))}
        />
      ))}
      <Button isSecondary onPress={() => onChange([...criteria, newCriterion(taken, levels)])}>
        {text('rubric.addCriterion')}
      </Button>
    </section>
  )
}

interface FieldProps {
  number: number
  criterion: CriterionDraft
  showsFault: boolean
  onChange(criterion: CriterionDraft): void
  onRemove(): void
}

function CriterionField({ number, criterion, showsFault, onChange, onRemove }: FieldProps) {
  const { text } = useTexts()
  const { title, description, levels } = criterion
  const fault = showsFault ? criterionFaultOf(criterion) : undefined
  return (
    <fieldset>
      <legend>{text('rubric.criterionNumber', { number })}</legend>
      <Field
        label={text('rubric.criterionTitle')}
        value={title}
        maxLength={1000}
        autoComplete="off"
        onChange={(value) => onChange({ ...criterion, title: value })}
      />
      <Field
        label={text('rubric.description')}
        value={description}
        maxLength={10_000}
        autoComplete="off"
        onChange={(value) => onChange({ ...criterion, description: value })}
      />
      {levels.map((level, index) => {
        const change = (changed: Partial<typeof level>) =>
          onChange({ ...criterion, levels: levels.with(index, { ...level, ...changed }) })
        return (
          <div className="level-field" key={level.id}>
            <Field
              label={text('rubric.levelNumber', { number: index + 1 })}
              value={level.title}
              maxLength={1000}
              autoComplete="off"
              onChange={(value) => change({ title: value })}
            />
            <Field
              label={text('rubric.levelPoints', { number: index + 1 })}
              value={level.points}
              inputMode="decimal"
              maxLength={10}
              autoComplete="off"
              onChange={(points) => change({ points })}
            />
            <Button
              isSecondary
              aria-label={text('rubric.removeLevel', { number: index + 1 })}
              onPress={() => onChange({ ...criterion, levels: levels.toSpliced(index, 1) })}
            >
              ×
            </Button>
          </div>
        )
      })}
      {fault && (
        <p role="alert" className="field-error">
          {text(`rubric.fault.${fault}`)}
        </p>
      )}
      <div className="buttons">
        {levels.length < 20 && (
          <Button isSecondary onPress={() => onChange(withLevel(criterion))}>
            {text('rubric.addLevel')}
          </Button>
        )}
        <Button isSecondary aria-label={text('rubric.removeCriterion', { number })} onPress={onRemove}>
          {text('classes.remove')}
        </Button>
      </div>
    </fieldset>
  )
}
