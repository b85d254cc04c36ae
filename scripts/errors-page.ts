/** The error catalogue of errors.ts: code → status and message. */
type Catalogue = Readonly<Record<string, { status: number; message: string }>>

/** Returns the text of docs/errors.md for an error catalogue. */
export function errorsPage(catalogue: Catalogue): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  )
  return `# Errors

\`npm run docs:errors\` generates this page from \`src/errors.ts\`. A test fails if it is out of date.

Every response with a status of 400 or above has a JSON body:

\`\`\`json
{ "code": "INVALID_PARAMETER", "message": "\`title\` is empty.", "param": "title" }
\`\`\`

- \`code\` is stable. Programs should check it. New versions can add codes, so handle an unknown code by its status.
- \`message\` is for people. It can be more specific than in the table below.
- \`param\` names the invalid parameter or body field, if any: \`builderData.scoreData.instruments.0.group\`.
- \`id\` is the id of the request in the server log. Only 5xx responses have it.

| code | status | message |
|---|---|---|
${rows.join('\n')}
`
}
