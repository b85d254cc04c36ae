import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { isOrganizationRole } from '../../../../src/contract/roles.ts'
import type { Texts } from '../../../../src/texts/catalogue.ts'
import { useTexts } from '../../app/texts.ts'

/** The details whose names have a text. The others are fields and numbers, which keep the names of the file. */
const named = [
  'actorPasswordOrigin',
  'by',
  'class',
  'destination',
  'fields',
  'from',
  'isOffline',
  'isPublic',
  'passkeys',
  'passwordOrigin',
  'placement',
  'provider',
  'role',
  'scopes',
  'sessions',
  'step',
  'to',
  'tokens',
] as const
const isNamed = (name: string): name is (typeof named)[number] => named.some((one) => one === name)

/** Values that are no roles, numbers or names. */
const values = ['administrator', 'code', 'passkey', 'roster', 'second', 'unproven'] as const
const isValue = (text: string): text is (typeof values)[number] => values.some((one) => one === text)

const idPattern = /^[0-9a-f]{24}$/

/** What the log says about an event in the language of the reader. Ids of tokens and the like are only in the file. */
export function Details({ json }: { json: string }) {
  const texts = useTexts()
  const details: [string, unknown][] = Object.entries(JSON.parse(json))
  return details.map(([name, value]) => {
    if (name === 'class' && typeof value === 'string')
      return (
        <div key={name}>
          <ClassLink id={value} />
        </div>
      )
    if (value === null || value === undefined || (typeof value === 'string' && idPattern.test(value)))
      return null
    return (
      <div key={name}>
        {isNamed(name) ? texts.text(`audit.detail.${name}`) : name}: {shown(texts, value)}
      </div>
    )
  })
}

/** A class, which the log knows by its id. */
export function ClassLink({ id }: { id: string }) {
  const { text } = useTexts()
  return <Link href={pathTo('/classes/{class}', { class: id })}>{text('audit.detail.class')}</Link>
}

/** A text in the language of the reader, and a list of texts with commas, between which a line can break. */
function shown(texts: Texts, value: unknown): string {
  const { text } = texts
  if (Array.isArray(value)) return value.map((one) => shown(texts, one)).join(', ')
  if (typeof value === 'boolean') return text(value ? 'members.on' : 'members.off')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isOrganizationRole(value)) return text(`members.role.${value}`)
  return isValue(value) ? text(`audit.value.${value}`) : value
}
