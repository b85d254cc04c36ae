import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeApp, type Person } from '../../test/support/app.ts'
import { operations } from '../operations.ts'
import { codeSamples } from './code-samples.ts'
import { openapiDocument } from './openapi.ts'

/** Runs a sample with the arguments that a user would give it. */
const runners: Record<string, (source: string) => [command: string, args: string[]]> = {
  Shell: (source) => ['bash', ['-c', `${source} --silent --show-error --fail`]],
  JavaScript: (source) => [process.execPath, ['--input-type=module', '--eval', source]],
  Python: (source) => ['python3', ['-c', source]],
}
const has = (command: string) => spawnSync(command, ['--version']).status === 0
const languages = Object.keys(runners).filter(
  (lang) => (lang !== 'Shell' || has('curl')) && (lang !== 'Python' || has('python3')),
)

interface Described {
  'x-codeSamples'?: { lang: string; source: string }[]
}

it('every operation that can succeed has a sample in each language, in the syntax of the language', () => {
  const { paths } = openapiDocument(Object.values(operations), 'http://x') as {
    paths: Record<string, Record<string, Described & { operationId: string }>>
  }
  const all = Object.values(paths).flatMap((item) => Object.values(item))
  const without = all.filter((one) => one['x-codeSamples']?.length !== 3).map((one) => one.operationId)
  expect(without).toEqual(['untrashCollection'])
  const samples = all.flatMap((one) => one['x-codeSamples'] ?? [])
  const inLanguage = (lang: string) => samples.filter((one) => one.lang === lang).map(({ source }) => source)

  execFileSync('bash', ['-n'], { input: inLanguage('Shell').join('\n') })
  const modules = inLanguage('JavaScript').map((source) => `async () => {\n${source}\n}`)
  for (const source of modules) new Function(source)
  if (languages.includes('Python')) {
    const check = 'import ast, json, sys\nfor source in json.load(sys.stdin): ast.parse(source)'
    execFileSync('python3', ['-c', check], { input: JSON.stringify(inLanguage('Python')) })
  }
})

describeApp('the code samples', (app) => {
  async function run({ token }: Person, lang: string, source: string): Promise<string> {
    const [command, args] = runners[lang]?.(source) ?? ['', []]
    const { stdout } = await promisify(execFile)(command, args, {
      env: { PATH: process.env.PATH, TOKEN: token },
    })
    return stdout
  }

  it.each(languages)('send the request of the example and print the answer (%s)', async (lang) => {
    const nora = await app.person(`nora-${lang.toLowerCase()}`)
    const sourceOf = (...args: Parameters<typeof codeSamples>) =>
      codeSamples(...args).find((one) => one.lang === lang)?.source ?? ''
    const server = `${app.url}/v2`
    const body = {
      title: `It’s "good" & $HOME 🎵 \\ 'so'`,
      builderData: {
        scoreData: { useTabStaff: false, instruments: [{ group: 'strings', instrument: 'cello' }] },
      },
    }
    const created = { parameters: {}, body, status: 200 }
    await run(nora, lang, sourceOf(operations.createScore, 'POST', server, created))
    const [score] = (await nora.get('/collections/app/scores')).body
    expect(score.title).toBe(body.title)

    const listed = { parameters: { collection: 'app', q: 'good &', limit: 1 }, status: 200 }
    expect(await run(nora, lang, sourceOf(operations.listCollectionScores, 'GET', server, listed))).toContain(
      score.id,
    )

    const deleted = { parameters: { score: score.id, now: true }, status: 204 }
    await run(nora, lang, sourceOf(operations.deleteScore, 'DELETE', server, deleted))
    expect((await nora.get(`/scores/${score.id}`)).status).toBe(404)
  })
})
