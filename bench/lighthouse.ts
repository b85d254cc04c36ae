import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { browserArguments, browserPath } from '../test/support/browser-program.ts'

/** npx fetches it: it brings 114 packages and 176 MB, which nothing but this benchmark needs. */
const lighthouse = 'lighthouse@13.5.0'
const devices = { phone: [], desktop: ['--preset=desktop'] } as const
const least = 95

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly title: string }>>
}

/**
 * Prints the points of 100 that Lighthouse gives to pages for their speed and their accessibility, and what it finds in pages with less than 95.
 * @param pages the addresses by their names
 * @param cookie the session
 */
export async function printLighthousePoints(
  pages: Readonly<Record<string, string>>,
  cookie: string,
): Promise<void> {
  for (const [name, url] of Object.entries(pages))
    for (const [device, options] of Object.entries(devices)) {
      process.stderr.write(`\rLighthouse: ${name}, ${device}\u001b[K`)
      const report = await reportOf(url, name === 'start' ? undefined : cookie, options)
      process.stderr.write('\r\u001b[K')
      console.log(`Lighthouse: ${name}, ${device}: ${lineOf(report)}`)
    }
}

async function reportOf(
  url: string,
  cookie: string | undefined,
  options: readonly string[],
): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      ...['--yes', lighthouse, url, '--quiet', '--output=json', '--no-enable-error-reporting'],
      '--only-categories=performance,accessibility',
      `--chrome-flags=--headless=new ${browserArguments.join(' ')}`,
      ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
      ...options,
    ],
    { maxBuffer: 100_000_000, env: { ...process.env, CHROME_PATH: browserPath } },
  )
  return JSON.parse(stdout)
}

function lineOf({ categories, audits }: Report): string {
  const points = (category: string) => Math.round((categories[category]?.score ?? Number.NaN) * 100)
  const [performance, accessibility] = [points('performance'), points('accessibility')]
  const line = `performance ${performance}, accessibility ${accessibility}`
  if (Math.min(performance, accessibility) >= least) return line
  const findings = Object.values(audits).filter(({ score }) => score !== null && score < 0.9)
  return `${line}, of at least ${least}: ${findings.map(({ title }) => title).join('; ')}`
}
