import { notServed } from '../src/contract/not-served.ts'
import { extensions } from '../src/contract/extensions.ts'
import { published } from '../src/contract/published.ts'

/** The line after which docs/interface.md is generated. */
const marker = '<!-- npm run docs:interface writes what follows. -->'

/**
 * Returns the text of docs/interface.md with up-to-date lists.
 * @param page the present text. Everything up to the marker is kept
 */
export function interfacePage(page: string): string {
  const [written = ''] = page.split(marker)
  const operations = Object.entries(notServed.operations).map(([id, reason]) => {
    return `| \`${id}\` | \`${published[id as keyof typeof published]}\` | ${reason} |`
  })
  const added = Object.entries(extensions).map(([id, route]) => `| \`${id}\` | \`${route}\` |`)
  return `${written}${marker}

## Operations that Partita does not serve

They are not in the OpenAPI document, and requests get 404.

| Operation | Request | Reason |
|---|---|---|
${operations.join('\n')}

## Fields that responses never contain

The OpenAPI document declares them. \`User\` stands for all schemas of users, \`Assignment\` for all schemas of
assignments.

${tableOf('Field', notServed.fields)}

## Values that Partita does not use

${tableOf('Value', notServed.values)}

## Operations that only Partita has

The OpenAPI document marks them with \`x-partita-extension\`.

| Operation | Request |
|---|---|
${added.join('\n')}
`
}

/** Returns a table with one row for each reason. */
function tableOf(heading: string, entries: Readonly<Record<string, string>>): string {
  const byReason = Object.groupBy(Object.keys(entries), (name) => entries[name] ?? '')
  const rows = Object.entries(byReason).map(([reason, names = []]) => {
    return `| ${names.map((name) => `\`${name}\``).join(', ')} | ${reason} |`
  })
  return [`| ${heading} | Reason |`, '|---|---|', ...rows].join('\n')
}
