import { HtmlValidate } from 'html-validate'
import { expect } from 'vitest'

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  // A page contains its own style element, which its content security policy allows by hash, and any number
  // of lines.
  rules: {
    'no-inline-style': 'off',
    'long-title': 'off',
    'no-trailing-whitespace': 'off',
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit'] }],
  },
})

/** Asserts that a page follows the HTML standard and the rules of WCAG 2.2 that a program can check. */
export async function expectValidHtml(page: string): Promise<void> {
  const { results } = await validator.validateString(page)
  const messages = results.flatMap(({ messages }) =>
    messages.map(({ line, message, ruleId }) => `${line}: ${message} (${ruleId})`),
  )
  expect(messages).toEqual([])
}
