import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { startApp } from '../src/app.ts'
import { createDemoSchool, type DemoMember } from '../src/commands/demo-school.ts'
import { readConfig } from '../src/config.ts'
import { browserArguments, browserPath } from '../test/support/browser-program.ts'
import { freePort } from '../test/support/program.ts'

/** Takes the pictures of docs/guides/school.md from the demo school. It needs Chromium and a built app (npm run build). */
const images = join(import.meta.dirname, '../docs/images')
const dataDir = await mkdtemp(join(tmpdir(), 'partita-pictures-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const settings = {
  dataDir,
  port: String(port),
  publicUrl: url,
  logLevel: 'warn',
  durability: 'off',
  shippedContent: 'true',
}
const running = await startApp(readConfig(settings, {}))
const browser = await chromium.launch({
  ...(browserPath && { executablePath: browserPath }),
  args: browserArguments,
})

try {
  const { members, class: schoolClass } = await createDemoSchool(running.ctx)
  const [, teacher, student] = members
  if (!teacher || !student) throw new Error('The demo school has no teacher or no student')
  await running.worker.poll()
  await running.worker.idle()

  const given = await requestAs(student, url, 'GET', `/classes/${schoolClass}/assignments`)
  const [assignment] = given as { id: string }[]
  if (!assignment) throw new Error('The demo school has no assignment')
  const submissions = `/classes/${schoolClass}/assignments/${assignment.id}/submissions`
  await requestAs(student, url, 'PUT', submissions, { submit: true })

  const asTeacher = await signedIn(url, teacher)
  await picture(asTeacher, 'school-code', `/classes/${schoolClass}/code`, (page) =>
    page.getByRole('img').waitFor(),
  )
  await picture(asTeacher, 'school-resources', '/library/flatEduContent', async (page) => {
    await page.locator('.resource-cards img').nth(3).waitFor()
  })
  await picture(asTeacher, 'school-grading', `/classes/${schoolClass}/work/${assignment.id}/review`, music)
  await picture(
    await signedIn(url, student),
    'school-work',
    `/classes/${schoolClass}/work/${assignment.id}`,
    music,
  )
} finally {
  await browser.close()
  await running.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** Sends a request to the interface. Throws unless it succeeds. */
async function requestAs({ token }: DemoMember, url: string, method: string, path: string, body?: object) {
  const response = await fetch(`${url}/v2${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function signedIn(url: string, { username, password }: DemoMember): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1100, height: 640 },
    locale: 'en',
    colorScheme: 'light',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.goto('/auth/signin')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Sign in' }).waitFor()
  await page.close()
  return context
}

async function picture(
  context: BrowserContext,
  name: string,
  path: string,
  isShown: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await context.newPage()
  await page.goto(path)
  await isShown(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(images, `${name}.png`) })
  await page.close()
}

/** Waits for the first page of a score and its player. */
async function music(page: Page): Promise<void> {
  await page.locator('.sheet svg').first().waitFor()
  await page.getByRole('button', { name: 'Play' }).waitFor()
}
