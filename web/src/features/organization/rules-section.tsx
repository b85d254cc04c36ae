import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { OrganizationRules } from '../../../../src/contract/organization-rules.ts'
import type { OrganizationSettings, RuleEffects } from '../../../../src/contract/organization-settings.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { settingsQuery } from './queries.ts'
import { RuleReview } from './rule-review.tsx'
import { RulesForm } from './rules-form.tsx'

/** Changed rules, and what they would do to members. */
export interface Draft {
  readonly rules: Partial<OrganizationRules>
  readonly effects: RuleEffects
}

type Result = 'changed' | 'same' | undefined

/** The rules of the organization. A change is first checked: it says how many members it would lock out. */
export function RulesSection({ settings }: { settings: OrganizationSettings }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [draft, setDraft] = useState<Draft>()
  const [result, setResult] = useState<Result>()

  async function review(rules: Partial<OrganizationRules>) {
    if (Object.keys(rules).length === 0) return setResult('same')
    const effects = await call('previewRules', { body: { rules } })
    setResult(undefined)
    setDraft({ rules, effects })
    heading.current?.focus()
  }
  async function change(rules: Partial<OrganizationRules>, password: string) {
    await call('changeRules', { body: { rules, ...(password && { password }) } })
    // The rule of the provider has ended this session too. The request then leads to the sign-in.
    await queries.invalidateQueries({ queryKey: settingsQuery.queryKey })
    setDraft(undefined)
    setResult('changed')
    heading.current?.focus()
  }

  return (
    <section aria-labelledby="rules">
      <h2 id="rules" ref={heading} tabIndex={-1}>
        {text(draft ? 'rules.review' : 'rules.title')}
      </h2>
      <Notice>{result && text(result === 'changed' ? 'rules.changed' : 'rules.same')}</Notice>
      {/* The form stays in the page, so that it keeps its values on the way back. */}
      <div hidden={draft !== undefined}>
        <RulesForm key={JSON.stringify(settings.rules)} rules={settings.rules} onReview={review} />
      </div>
      {draft && (
        <RuleReview
          draft={draft}
          settings={settings}
          onConfirm={(password) => change(draft.rules, password)}
          onBack={() => {
            setDraft(undefined)
            heading.current?.focus()
          }}
        />
      )}
    </section>
  )
}
