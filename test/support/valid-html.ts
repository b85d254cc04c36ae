import { HtmlValidate } from 'html-validate'
import { expect } from 'vitest'

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  // A page of ours has its style in itself, which its policy names by its hash, and as many lines as it likes.
  rules: {
    'no-inline-style': 'off',
    'long-title': 'off',
    'no-trailing-whitespace': 'off',
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit'] }],
  },
})

/** Holds a page against the HTML standard and what WCAG 2.2 lets a program check. */
export async function expectValidHtml(page: string): Promise<void> {
  const { results } = await validator.validateString(page)
  const messages = results.flatMap(({ messages }) =>
    messages.map(({ line, message, ruleId }) => `${line}: ${message} (${ruleId})`),
  )
  expect(messages).toEqual([])
}
