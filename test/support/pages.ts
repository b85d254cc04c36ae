import { Resvg } from '@resvg/resvg-js'
import { administrationPageStates } from './administration-pages.ts'
import type { Page } from 'playwright-core'
import type { Person, TestApp } from './app.ts'
import { placesIn } from './comments.ts'
import { musicXml } from './scores.ts'
import { updateUser } from '../../src/features/people/users/store.ts'
import { internalClient } from './client.ts'
import { browserAt } from './browser.ts'
import { pngOf } from './pictures.ts'
import { authorizationPath, newClient, tokensFor } from './oauth.ts'
import { password, signedIn } from './sessions.ts'
import { addProvider } from './openid-provider.ts'
import { limit } from './organizations.ts'
import { scorePanelStates } from './score-panel-pages.ts'
import { libraryPageStates } from './library-pages.ts'
import { type ActingStateMaker, schoolPageStates, type StateMaker } from './school-pages.ts'
import { sharingPageStates } from './sharing-pages.ts'
import { addAuthenticator } from './virtual-authenticator.ts'
import { withPasskey } from './passkeys.ts'
import { withSecondFactor } from './second-factors.ts'

/** A page in one state. */
export interface PageState {
  readonly name: string
  /** The signed-in user. Without it there is no session. */
  readonly as?: Person
  open(page: Page): Promise<unknown>
}

/** Waits for the first page of a score and its player. */
async function pagesOfScore(page: Page): Promise<void> {
  await page.locator('.sheet svg').first().waitFor()
  await page.getByRole('button', { name: 'Play' }).waitFor()
}

/** Returns every page in each of its states. */
export async function pageStates(app: TestApp): Promise<PageState[]> {
  const school = await app.organization('Academy of Music')
  const ada = await app.person('ada', { organization: school, role: 'admin' })
  const tess = await app.person('tess', { organization: school, role: 'teacher' })
  const otto = await app.person('otto')
  const client = await newClient(app, { name: 'Practice room' })
  await addTokensAndApps(app, tess)
  await addPictures(app, ada)
  const data = musicXml({ title: 'Evening song' })
  const score = (await otto.post('/scores', { data, privacy: 'public' })).body.id
  await otto.post(`/scores/${score}/revisions`, {
    data: musicXml({ title: 'Evening song', measures: ['C4 D4 E4 C4'] }),
    description: 'Another last note',
  })
  const { place } = await placesIn(otto, score)
  await otto.post(`/scores/${score}/comments`, { comment: 'Breathe here.', context: place })
  await otto.post(`/scores/${score}/comments`, { comment: 'A song for the evening.' })
  // The first page of an engine that has just started takes long on a busy machine.
  await otto.get(`/scores/${score}/revisions/last/svg`)
  // The server has no such file, so the page says that it cannot be played.
  await otto.post(`/scores/${score}/tracks`, {
    url: `${app.url}/none.mp3`,
    title: 'Concert',
    state: 'completed',
  })
  for (const name of ['Winds 4b', 'Strings 4b with a long name'])
    await tess.post('/classes', { name, section: 'Room 12' })
  const invitation = (await ada.post('/organizations/invitations', { organizationRole: 'teacher' })).body
    .customCode
  const linkFor = async (person: Person): Promise<string> =>
    (await ada.post(`/organizations/users/${person.id}/signinLink`, {})).body.url
  const usedLink = await linkFor(tess)
  const browser = browserAt(app.url)
  await browser.open(usedLink, { method: 'POST', body: new URLSearchParams() })

  await withSecondFactor(app, await app.person('vera'))
  const [lotte, nora] = [
    await app.person('lotte', { organization: school }),
    await app.person('nora', { organization: school }),
  ]
  for (const { id } of [lotte, nora]) await ada.put(`/organizations/users/${id}`, { password })
  await app.ctx.transaction((tx) => updateUser(tx, nora.id, { password_origin: 'own' }))
  const [strictSchool, federation] = [await app.organization('Strict'), await app.organization('Federation')]
  await limit(app, strictSchool, { requires_second_factor: 1 })
  const strict = await app.person('stella', { organization: strictSchool, role: 'teacher' })
  await addProvider(app, { name: 'federation', organization: federation, issuer: 'https://id.example' })
  await limit(app, federation, { requires_provider: 1 })
  const federated = await app.person('fred', { organization: federation })
  await withPasskey(app, await app.person('paula'))
  const holder = await app.person('petra')
  const passkeySchool = await app.organization('Passkeys only')
  await limit(app, passkeySchool, { requires_passkey: 1 })
  const without = await app.person('pauline', { organization: passkeySchool, role: 'teacher' })
  const after: ActingStateMaker = (name, path, as, act) => ({
    name,
    ...(as && { as }),
    async open(page) {
      await page.goto(path)
      await waitForData(page)
      await act(page)
    },
  })
  const at: StateMaker = (name, path, as) => after(name, path, as, async () => {})

  return [
    ...(await schoolPageStates(app, at, after)),
    ...(await libraryPageStates(app, at, after)),
    ...(await sharingPageStates(app, after, tess, lotte)),
    at('sign-in', '/auth/signin'),
    after('sign-in-wrong', '/auth/signin', undefined, async (page) => {
      await page.getByLabel('Username or e-mail address').fill('otto')
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('alert').waitFor()
    }),
    after('second-step', '/auth/signin', undefined, async (page) => {
      await page.getByLabel('Username or e-mail address').fill('vera')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByLabel('Password').waitFor({ state: 'detached' })
    }),
    after('second-step-passkey', '/auth/signin', undefined, async (page) => {
      await page.getByLabel('Username or e-mail address').fill('paula')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL('**/auth/second-step*')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    }),
    after('sign-in-passkey-not-used', '/auth/signin', undefined, async (page) => {
      await addAuthenticator(page)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('alert').waitFor()
    }),
    at('email-link-spent', '/auth/email/partita_email_x', otto),
    at('sign-up', '/auth/signup'),
    after('sign-up-taken', '/auth/signup', undefined, async (page) => {
      await page.getByLabel('Username').fill('otto')
      await page.getByLabel('Password', { exact: false }).fill(password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('alert').waitFor()
    }),
    after('sign-in-provider-only', '/auth/signin', undefined, async (page) => {
      await page.getByLabel('Username').fill(federated.username)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('alert').waitFor()
    }),
    at('own-password', '/auth/own-password', lotte),
    at('security-password-set', '/account/security', nora),
    at('forgotten-password', '/auth/password'),
    at('forgotten-password-spent', `/auth/password/partita_reset_${'a'.repeat(46)}`),
    at('invitation', `/invitations/${invitation}`),
    at('invitation-to-join', `/invitations/${invitation}`, otto),
    at('invitation-none', '/invitations/aaaaaaaaaa'),
    at('sign-in-link', new URL(await linkFor(tess)).pathname),
    at('sign-in-link-used', new URL(usedLink).pathname),
    at('sign-in-link-none', '/auth/signin-link/nonsense'),
    at(
      'consent',
      authorizationPath(client, { scope: 'scores collections edu.classes', access_type: 'offline' }),
      otto,
    ),
    at('consent-refused', authorizationPath(client, { redirect_uri: 'https://evil.example/' }), otto),
    at('start', '/'),
    after('score', `/scores/${score}`, tess, pagesOfScore),
    after('score-visitor', `/scores/${score}`, undefined, pagesOfScore),
    after('score-practise', `/scores/${score}`, undefined, async (page) => {
      await pagesOfScore(page)
      await page.getByRole('button', { name: 'Repeat a passage' }).click()
      await page.getByRole('button', { name: 'Practise' }).click()
      await page.getByLabel('Sound', { exact: true }).waitFor()
    }),
    after('score-download', `/scores/${score}`, tess, async (page) => {
      await pagesOfScore(page)
      await page.getByRole('button', { name: 'Download' }).click()
      await page.getByRole('button', { name: 'Recording (.mp3)' }).waitFor()
    }),
    after('score-download-task', `/scores/${score}`, tess, async (page) => {
      await pagesOfScore(page)
      const task = { id: 'half-done', state: 'doing', progress: { percent: 40 } }
      await page.route('**/mp3/task', (route) => route.fulfill({ json: task }), { times: 1 })
      await page.route('**/v2/tasks/half-done', (route) => route.fulfill({ json: task }))
      await page.getByRole('button', { name: 'Download' }).click()
      await page.getByRole('button', { name: 'Recording (.mp3)' }).click()
      await page.getByText('40%').waitFor()
    }),
    after('score-sync', `/scores/${score}/sync`, otto, async (page) => {
      await page.getByRole('button', { name: 'Play the recording first' }).waitFor()
      await page.locator('audio').dispatchEvent('seeking')
      await page.getByRole('button', { name: 'Tap: Measure 1' }).click()
      await page.getByRole('table', { name: 'Times of the measures' }).waitFor()
      await page
        .getByRole('img', { name: /^Page 1 of/ })
        .locator('svg')
        .waitFor()
    }),
    after('score-reader', `/scores/${score}`, undefined, async (page) => {
      await pagesOfScore(page)
      await page.getByRole('button', { name: 'Read measures as text' }).click()
      await page.getByRole('slider', { name: 'Measure to read' }).waitFor()
    }),
    after('score-view', `/scores/${score}`, undefined, async (page) => {
      await pagesOfScore(page)
      await page.getByRole('button', { name: 'View', exact: true }).click()
      await page.getByLabel('Transpose by').selectOption('Up: minor third')
      await page.getByText('You see the score in your own view.').waitFor()
      await pagesOfScore(page)
    }),
    after('score-turning', `/scores/${score}`, undefined, async (page) => {
      await pagesOfScore(page)
      await page.getByRole('button', { name: 'View', exact: true }).click()
      await page.getByText('To turn', { exact: true }).click()
      await page.getByRole('button', { name: 'Close' }).click()
      await pagesOfScore(page)
    }),
    after('score-comments', `/scores/${score}`, tess, async (page) => {
      await pagesOfScore(page)
      await page.getByRole('button', { name: /^Comments/ }).click()
      await page.getByRole('button', { name: 'New comment' }).click()
      await page.getByLabel('From measure').fill('1')
      await page.getByRole('button', { name: /^Measure 1, comments/ }).click()
      await page.getByRole('article', { name: 'Measure 1' }).getByRole('button', { name: 'Reply' }).click()
    }),
    after('score-history', `/scores/${score}/history`, otto, async (page) => {
      await page.getByRole('button', { name: 'Newest version' }).waitFor()
      await page.getByLabel('Compare with').selectOption({ index: 1 })
      await page.getByRole('heading', { name: 'What changed' }).waitFor()
      await page.locator('.sheet svg').first().waitFor()
    }),
    after('editor', `/scores/${score}/edit`, otto, async (page) => {
      await page.locator('.editor-line .v-note').first().waitFor()
    }),
    ...scorePanelStates(score, otto, tess, after),
    at('score-none', '/scores/0123456789abcdef01234567', tess),
    after('shortcuts', '/', otto, async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    }),
    {
      name: 'not-by-link',
      async open(page) {
        await page.goto(await linkFor(tess))
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
        await page.goto('/account')
      },
    },

    at('account', '/account', tess),
    at('account-empty', '/account', otto),
    at('developer', '/account/developer', tess),
    after('developer-ending-a-token', '/account/developer', tess, async (page) => {
      await page.getByRole('button', { name: 'Revoke Backup of my scores' }).click()
      await page.getByRole('alertdialog').waitFor()
    }),
    at('profile', '/account/profile', tess),
    at('profile-with-pictures', '/account/profile', ada),
    after('profile-refused-picture', '/account/profile', tess, async (page) => {
      await page.setInputFiles('input[type=file] >> nth=0', {
        name: 'broken.png',
        mimeType: 'image/png',
        buffer: Buffer.from('no picture'),
      })
      await page.getByText('The picture must be PNG').waitFor()
    }),
    after('profile-saved', '/account/profile', otto, async (page) => {
      await page.getByLabel('Biography').fill('I play the oboe.')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Your profile was saved.').waitFor()
    }),
    at('new-token', '/account/developer/tokens/new', tess),
    after('new-token-refused', '/account/developer/tokens/new', tess, (page) =>
      page.getByRole('button', { name: 'Create' }).click(),
    ),
    after('new-token-made', '/account/developer/tokens/new', tess, async (page) => {
      await page.getByLabel('Name').fill('Lesson planner')
      await page.getByText('See your scores').click()
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'Copy' }).click()
    }),
    at('security', '/account/security', tess),
    at('security-factor-needed', '/account/tokens', strict),
    at('security-passkey-needed', '/account/tokens', without),
    after('security-passkeys', '/account/security', holder, async (page) => {
      await withPasskey(app, holder, 'Phone')
      await withPasskey(app, holder, 'A security key with quite a long name')
      await page.reload()
      const part = page.getByRole('region', { name: 'Passkeys' })
      await part.getByRole('button', { name: 'Remove Phone' }).click()
      await part.getByRole('heading', { name: 'Remove Phone' }).waitFor()
    }),
    after('security-new-passkey', '/account/security', tess, async (page) => {
      const part = page.getByRole('region', { name: 'Passkeys' })
      await part.getByText('Add a passkey').click()
      await part.getByLabel('Password').fill(password)
      await part.getByRole('button', { name: 'Continue' }).click()
      await part.getByLabel('Name of the passkey').waitFor()
    }),
    after('security-refused', '/account/security', tess, async (page) => {
      const part = page.getByRole('region', { name: 'Two-step sign-in' })
      await part.getByLabel('Password').fill('wrong')
      await part.getByRole('button', { name: 'Set up' }).click()
      await part.getByText('This password is wrong.').waitFor()
    }),
    after('security-second-factor', '/account/security', tess, async (page) => {
      const part = page.getByRole('region', { name: 'Two-step sign-in' })
      await part.getByLabel('Password').fill(password)
      await part.getByRole('button', { name: 'Set up' }).click()
      await part.getByRole('img').waitFor()
    }),
    after('security-with-second-factor', '/account/security', otto, async (page) => {
      const factor = await withSecondFactor(app, otto)
      await page.reload()
      await page.getByText('Create new recovery codes').first().click()
      const part = page.getByRole('region', { name: 'Two-step sign-in' })
      await part.getByLabel('Code').first().fill(factor.code())
      await part.getByRole('button', { name: 'Create new recovery codes' }).click()
      await part.getByText('Each code replaces').waitFor()
    }),
    ...administrationPageStates({ ada, tess, lotte }, at, after),
    after('new-score', '/scores/new', tess, async (page) => {
      await page.getByText(/^Instruments found: \d{3}\.$/).waitFor()
    }),
    after('new-score-missing', '/scores/new', tess, async (page) => {
      await page.getByLabel('Find an instrument').fill('kein solches')
      await page.getByText('No instrument has this name.').waitFor()
      await page.getByLabel('Title of the score').fill('Duo')
      await page.getByRole('button', { name: 'Create score' }).click()
      await page.getByText('Please add at least one instrument.').waitFor()
    }),
    after('new-score-created', '/scores/new', tess, async (page) => {
      await page.getByLabel('Title of the score').fill('Duo')
      await page.getByRole('button', { name: 'Add instrument' }).click()
      await page.getByRole('button', { name: 'Create score' }).click()
      await page.getByRole('heading', { level: 1, name: '“Duo” was created' }).waitFor()
    }),
    after('webhook', '/account/developer/webhooks/new', tess, async (page) => {
      await page.getByLabel('Address').fill('https://hook.invalid/')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('heading', { level: 1, name: 'The webhook was added' }).waitFor()
      await page.getByRole('link', { name: 'https://hook.invalid/' }).click()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByRole('rowheader', { name: 'webhook.ping' }).waitFor()
      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByRole('button', { name: 'Turn on' }).waitFor()
    }),
    at('webhook-not-found', '/account/developer/webhooks/nothing', tess),
    at('my-apps', '/account/developer/apps', tess),
    at('my-apps-empty', '/account/developer/apps', otto),
    after('app', '/account/developer/apps', tess, async (page) => {
      await page.getByRole('link', { name: 'Metronome' }).click()
      await page.getByRole('heading', { level: 1, name: 'Metronome' }).waitFor()
    }),
    at('app-not-found', '/account/developer/apps/nothing', tess),
    at('page-not-found', '/account/nothing', tess),
    at('new-app', '/account/developer/apps/new', tess),
    after('new-app-registered', '/account/developer/apps/new', tess, async (page) => {
      await page.getByLabel('Name').fill('Ear trainer')
      await page.getByLabel('Redirect addresses').fill('https://ear.example/callback')
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByText('Client secret').first().waitFor()
    }),
  ]
}

/** Waits until the page has loaded its data. */
async function waitForData(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await page.getByText('Loading …').first().waitFor({ state: 'detached' })
}

/** A PNG image of 128 × 128 pixels. */
export const logo = new Resvg(
  '<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><rect width="128" height="128" fill="#7a3b8f"/><path d="M64 18 92 110H36z" fill="#f4d35e"/></svg>',
)
  .render()
  .asPng()

/** Gives the profile of a user its pictures. */
async function addPictures(app: TestApp, person: Person): Promise<void> {
  const account = internalClient(await signedIn(app, person))
  for (const kind of ['picture', 'cover']) {
    await account.put(`/profile/pictures/${kind}`, { image: (await pngOf(600, 300)).toString('base64') })
  }
}

/** Creates tokens and apps in the account of a user. */
async function addTokensAndApps(app: TestApp, person: Person): Promise<void> {
  const account = internalClient(await signedIn(app, person))
  await account.post('/tokens', {
    name: 'Backup of my scores',
    scopes: ['scores.readonly', 'collections.readonly'],
    days: 90,
  })
  await account.post('/apps', {
    name: 'Metronome',
    redirectUris: ['https://metronome.example/callback', 'com.example.metronome:/callback'],
    isPublic: false,
    logo: logo.toString('base64'),
  })
  await account.post('/apps', { name: 'Tuner', redirectUris: ['http://127.0.0.1/callback'], isPublic: true })
  await tokensFor(app, person, await newClient(app, { name: 'Ear training' }), { access_type: 'offline' })
}
