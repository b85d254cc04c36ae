import { expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool } from '../support/school.ts'
import { isSignedBy } from '../support/webhooks.ts'
import { useWebhookReceiver } from '../support/webhook-receiver.ts'

describeInBrowser('webhooks', (browser) => {
  const receiver = useWebhookReceiver()
  const app = useApp(usingDatabases('sqlite'), { outgoingAllow: '127.0.0.1' })

  it('are added, tested, sent again and deleted by an administrator', async () => {
    const { ada, tess } = await makeSchool(app)
    const { page } = await browser.open(ada, { baseURL: app.url })
    await page.goto('/account/developer')
    await page.getByRole('link', { name: 'Add webhook' }).click()
    const address = page.getByLabel('Address')
    await address.fill('https://127.0.0.2/')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('The server cannot send messages to this address.').waitFor()
    await address.fill(receiver.url)
    await page.getByText('class.created').click()
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('heading', { level: 1, name: 'The webhook was added' }).waitFor()
    const secret = (await page.locator('code').first().innerText()).trim()

    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByText('Of the organization: classes, work and members').waitFor()
    await tess.post('/classes', { name: 'Strings' })
    await app.jobsDone()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('rowheader', { name: 'webhook.ping' }).waitFor()
    await app.jobsDone()
    const [created, test] = receiver.messages
    expect([created && isSignedBy(created, secret), test && isSignedBy(test, secret)]).toEqual([true, true])
    await page.getByRole('button', { name: 'Send class.created again' }).click()
    await expect.poll(() => receiver.messages.length).toBe(3)
    expect(receiver.messages[2]?.headers['webhook-id']).toBe(created?.headers['webhook-id'])

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no webhooks.').waitFor()
  })
})
