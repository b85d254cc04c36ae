import { expect, it } from 'vitest'
import { html } from './html.ts'

it('escapes values in text and in attributes', () => {
  const evil = `"><script>alert('1')</script>&amp;`
  expect(html`<p title="${evil}">${evil}</p>`.markup).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>',
  )
})

it('inserts markup unchanged, joins lists, and skips missing values', () => {
  const items = ['a<b', 'c'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}</ul>${undefined}${null}${false}${0}`.markup).toBe(
    '<ul><li>a&lt;b</li><li>c</li></ul>0',
  )
})

it('escapes text that looks like markup', () => {
  const lookalike = { markup: '<b>' }
  expect(html`${String(lookalike.markup)}`.markup).toBe('&lt;b&gt;')
})
