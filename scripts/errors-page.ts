/** What can go wrong, as errors.ts has it: code → status and message. */
type Catalogue = Readonly<Record<string, { status: number; message: string }>>

/** docs/errors.md of a catalogue of errors. */
export function errorsPage(catalogue: Catalogue): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  )
  return `# Errors

Made from \`src/errors.ts\` by \`npm run docs:errors\`; a test fails where it is stale.

Every response of 400 and above has a JSON body:

\`\`\`json
{ "code": "INVALID_PARAMETER", "message": "\`title\` is empty.", "param": "title" }
\`\`\`

- \`code\` is stable: programs go by it. A new version may add codes, so what is not known is met by its status.
- \`message\` is for people. It may say more than the table does: what is wrong, and where.
- \`param\` names the parameter or the field of the body, where it is one: \`builderData.scoreData.instruments.0.group\`.
- \`id\` is there for 5xx alone: the id of the request, under which the server's log says more.

| code | status | message |
|---|---|---|
${rows.join('\n')}
`
}
