import type { Operation } from '../operation.ts'
import { Empty } from '../operation.ts'
import type { Example } from './examples.ts'
import { isOfBytes } from './schema.ts'
import { filledPath } from './filled-path.ts'

/** A program that sends the request of an example, in the form in which viewers of OpenAPI documents read it. */
interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

interface SampleRequest {
  readonly method: string
  readonly url: string
  /** Undefined if the request has no body. */
  readonly body: unknown
  /** Whether the body is a file instead of JSON. */
  readonly sendsFile: boolean
  /** What the answer is. */
  readonly answer: 'json' | 'file' | 'empty'
}

/**
 * Returns programs that send the request of an example. They read the token from the environment variable TOKEN and need no
 * library.
 * @param server address of the server with the mount
 */
export function codeSamples(
  { path, responses, body: bodySchema }: Operation,
  method: string,
  server: string,
  { parameters, body, status, mediaType }: Example,
): CodeSample[] {
  const query = Object.entries(parameters)
    .filter(([name]) => !path.includes(`{${name}}`))
    .map(([name, value]): [string, string] => [name, String(value)])
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
  const url = server + filledPath(path, parameters) + search
  const answer = responses[status] === Empty ? 'empty' : mediaType === undefined ? 'json' : 'file'
  const request: SampleRequest = { method, url, body, sendsFile: isOfBytes(bodySchema), answer }
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'JavaScript', label: 'JavaScript', source: javaScript(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
  ]
}

const indented = (value: unknown, indent: string) =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)

/** Quotes a text for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The name of the file that a program sends. */
const sentFile = 'part.bin'

function curl({ method, url, body, sendsFile, answer }: SampleRequest): string {
  return [
    // -OJ saves a file under the name that the server gives.
    `curl ${answer === 'file' ? '-OJ ' : ''}${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
    ...(sendsFile ? [`-H 'Content-Type: application/octet-stream'`, `--data-binary @${sentFile}`] : []),
  ].join(' \\\n  ')
}

function javaScript({ method, url, body, sendsFile, answer }: SampleRequest): string {
  const result = {
    json: 'console.log(await response.json())',
    file: 'const file = await response.blob()',
    empty: '',
  }
  return [
    ...(sendsFile ? ['const { readFile } = await import("node:fs/promises")'] : []),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: "${method}",`]),
    '  headers: {',
    `    "Authorization": \`Bearer \${process.env.TOKEN}\`,`,
    ...(body === undefined ? [] : ['    "Content-Type": "application/json",']),
    ...(sendsFile ? ['    "Content-Type": "application/octet-stream",'] : []),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body, '  ')}),`]),
    ...(sendsFile ? [`  body: await readFile("${sentFile}"),`] : []),
    '})',
    'if (!response.ok) throw new Error(await response.text())',
    ...(result[answer] ? [result[answer]] : []),
  ].join('\n')
}

function python({ method, url, body, sendsFile, answer }: SampleRequest): string {
  const result = {
    json: 'print(json.load(response))',
    file: 'file = response.read()',
    empty: 'print(response.status)',
  }
  const usesJson = body !== undefined || answer === 'json'
  return [
    ...(usesJson ? ['import json'] : []),
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    '    headers={',
    '        "Authorization": f"Bearer {os.environ[\'TOKEN\']}",',
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    ...(sendsFile ? ['        "Content-Type": "application/octet-stream",'] : []),
    '    },',
    ...(sendsFile ? [`    data=open("${sentFile}", "rb").read(),`] : []),
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonLiteral(body, '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    ${result[answer]}`,
  ].join('\n')
}

/** Returns a JSON value as Python writes it. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, inner)}`)
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${items.join(`,\n${inner}`)},\n${indent}${close}`
}
