import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser, screens } from '../support/chromium.ts'
import { placesIn } from '../support/comments.ts'
import { usingDatabases } from '../support/databases.ts'
import { makeSchool, type School } from '../support/school.ts'
import { base64, musicXml } from '../support/scores.ts'
import { give } from '../support/sharing.ts'

const piece = musicXml({
  title: 'Duet',
  measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4', 'C4 E4 G4 E4', 'C4 E4 G4 E4', 'D4 F4 A4 F4', 'C4 G4 E4 C4'],
  parts: ['Violin', 'Piano'],
})

describeInBrowser('comments on a score', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let people: School

  const newScore = async (): Promise<string> => {
    const { body } = await people.tess.post('/scores', { data: base64(piece), dataEncoding: 'base64' })
    await give(app, { on: 'score', id: body.id }, { user: people.theo.id }, 'write')
    return body.id
  }
  const open = async (score: string, by: School['tess'], options = {}): Promise<Page> => {
    const { page } = await browser.open(by, { baseURL: app.url, ...options })
    await page.goto(`/scores/${score}`)
    await page
      .getByRole('img', { name: /^Page 1 of/ })
      .locator('svg')
      .waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    return page
  }
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Comments' })
  const openPanel = (page: Page) => page.getByRole('button', { name: /^Comments/ }).click()
  /** The box of a measure in the first part. */
  const measure = async (page: Page, score: string, index: number) => {
    const { measures, parts } = await placesIn(people.tess, score)
    return page.locator(`rect[data-measure="${measures[index]}"][data-part="${parts[0]}"]`)
  }

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('reach another reader without a reload, with a mark that opens the thread', async () => {
    const { tess, theo } = people
    const score = await newScore()
    const [hers, his] = [await open(score, tess), await open(score, theo)]
    await openPanel(hers)
    await panel(hers).getByRole('button', { name: 'New comment' }).click()
    await (await measure(hers, score, 1)).click()
    await panel(hers).getByLabel('From measure').and(hers.locator('[value="2"]')).waitFor()
    await panel(hers).getByLabel('To measure').fill('3')
    await panel(hers).getByLabel('Comment', { exact: true }).fill('Softer, please')
    await panel(hers).getByRole('button', { name: 'Send' }).click()
    await panel(hers).getByText('Softer, please').waitFor()

    const mark = his.getByRole('button', { name: /^Measures 2–3 · Violin, comments: 1/ })
    await mark.focus()
    await his.keyboard.press('Enter')
    const thread = panel(his).getByRole('article', { name: /Measures 2–3/ })
    await thread.getByText('Softer, please').waitFor()
    expect(await his.locator('.sheet-coloured').count()).toBe(2)
    await thread.getByRole('button', { name: 'Reply' }).click()
    await thread.getByLabel('Reply').fill('Like this?')
    await his.keyboard.press('Control+Enter')
    await panel(hers).getByText('Like this?').waitFor()

    await thread.getByRole('button', { name: 'Resolve' }).click()
    await panel(hers).getByRole('button', { name: 'Show resolved (1)' }).waitFor()
    await panel(hers).getByText('Like this?').waitFor({ state: 'detached' })
    await hers.getByRole('button', { name: /^Measures 2–3/ }).waitFor({ state: 'detached' })
    const { body } = await tess.get(`/scores/${score}/comments?resolved=true`)
    const { measures } = await placesIn(tess, score)
    expect(body[0].context).toMatchObject({
      measureUuids: measures.slice(1, 3),
      startTimePos: 0,
      stopTimePos: 4 * body[0].context.stopDpq,
    })
  })

  it('are edited and deleted by their author, by keys alone', async () => {
    const { tess } = people
    const score = await newScore()
    const page = await open(score, tess)
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await page.getByRole('button', { name: /^Comments/ }).focus()
    await page.keyboard.press('Enter')
    await press('New comment')
    await panel(page).getByLabel('From measure').focus()
    await page.keyboard.type('4')
    await panel(page).getByLabel('Comment', { exact: true }).focus()
    await page.keyboard.type('Frist try')
    await press('Send')
    await panel(page).getByRole('article', { name: 'Measure 4 · Violin' }).waitFor()
    await press('Edit')
    await panel(page).getByRole('article').getByLabel('Comment').fill('First try')
    await press('Save')
    await panel(page).getByText('(edited)').waitFor()
    await press('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await panel(page).getByText('There are no open comments.').waitFor()
    await page.keyboard.press('Escape')
  })

  it('mention a reader, whom the author chooses by keys or by pointer', async () => {
    const { tess, theo } = people
    const score = await newScore()
    const page = await open(score, tess)
    await openPanel(page)
    await panel(page).getByRole('button', { name: 'New comment' }).click()
    const field = panel(page).getByLabel('Comment', { exact: true })
    const choice = panel(page).getByRole('option', { name: 'theo' })
    await field.pressSequentially('Now @the')
    await choice.and(page.locator('[aria-selected="true"]')).waitFor()
    await field.press('Escape')
    await choice.waitFor({ state: 'detached' })
    await field.press('o')
    await choice.waitFor()
    await field.press('Enter')
    expect(await field.inputValue()).toBe('Now @theo ')
    await field.pressSequentially('and again @')
    await choice.click()
    await field.pressSequentially('!')
    expect(await field.inputValue()).toBe('Now @theo and again @theo !')
    await field.press('Control+Enter')
    await panel(page).getByText('@theo', { exact: true }).first().waitFor()
    const { body } = await tess.get(`/scores/${score}/comments`)
    expect(body[0]).toMatchObject({
      comment: 'Now @theo and again @theo !',
      rawComment: `Now @[${theo.id}:theo] and again @[${theo.id}:theo] !`,
      mentions: [theo.id],
    })
  })

  it('never run what somebody has written', async () => {
    const { tess, theo } = people
    const score = await newScore()
    const hostile = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
    const { place } = await placesIn(tess, score)
    await theo.post(`/scores/${score}/comments`, { comment: hostile, rawComment: hostile, context: place })
    const page = await open(score, tess)
    await page.getByRole('button', { name: /^Measure 1/ }).click()
    await panel(page).getByText(hostile).waitFor()
    expect(await page.title()).toBe('Duet – Partita')
  })

  describe('stay typed', () => {
    it('if they cannot be sent, and over a reload', async () => {
      const { tess } = people
      const score = await newScore()
      const page = await open(score, tess)
      await openPanel(page)
      await page.getByRole('button', { name: 'New comment' }).click()
      const field = panel(page).getByLabel('Comment', { exact: true })
      await field.fill('A long thought')
      await page.route('**/comments', (route) => route.abort())
      await panel(page).getByRole('button', { name: 'Send' }).click()
      await panel(page).getByRole('alert').getByText(/./).waitFor()
      expect(await field.inputValue()).toBe('A long thought')
      await page.unroute('**/comments')
      await page.reload()
      await openPanel(page)
      await page.getByRole('button', { name: 'New comment' }).click()
      expect(await field.inputValue()).toBe('A long thought')
      await panel(page).getByRole('button', { name: 'Send' }).click()
      await panel(page).getByText('A long thought').waitFor()
    })

    it('when somebody deletes the score, or the access to it ends', async () => {
      const { tess, theo } = people
      for (const [end, message] of [
        [(score: string) => tess.delete(`/scores/${score}`), /Somebody has deleted this score/],
        [
          (score: string) => tess.delete(`/scores/${score}/collaborators/${theo.id}`),
          /You no longer have access/,
        ],
      ] as const) {
        const score = await newScore()
        const page = await open(score, theo)
        await openPanel(page)
        await page.getByRole('button', { name: 'New comment' }).click()
        await panel(page).getByLabel('Comment', { exact: true }).fill('Half a')
        await end(score)
        await page.getByRole('alert').getByText(message).waitFor()
        expect(await panel(page).getByLabel('Comment', { exact: true }).inputValue()).toBe('Half a')
        await page.context().close()
      }
    })
  })

  it('are read and written on a phone, beside the score', async () => {
    const { tess, theo } = people
    const score = await newScore()
    await theo.post(`/scores/${score}/comments`, { comment: 'From the desk' })
    const page = await open(score, tess, { viewport: screens.phone })
    await openPanel(page)
    await panel(page).getByText('From the desk').waitFor()
    await panel(page).getByRole('button', { name: 'New comment' }).click()
    await (await measure(page, score, 0)).click()
    await panel(page).getByLabel('From measure').and(page.locator('[value="1"]')).waitFor()
    const box = await panel(page).boundingBox()
    const height = page.viewportSize()?.height ?? 0
    expect(box?.y).toBeGreaterThan(height / 3)
  })

  it('reach a visitor, also if streams are refused', async () => {
    const { otto } = people
    const { body } = await otto.post('/scores', {
      data: base64(piece),
      dataEncoding: 'base64',
      privacy: 'public',
    })
    const { page } = await browser.open(undefined, { baseURL: app.url })
    await page.route('**/changes?follow=true', (route) =>
      route.fulfill({ status: 429, json: { code: 'TOO_MANY_STREAMS' } }),
    )
    await page.goto(`/scores/${body.id}`)
    await openPanel(page)
    await panel(page).getByText('There are no open comments.').waitFor()
    await panel(page).getByText('Sign in to comment.').waitFor()
    await otto.post(`/scores/${body.id}/comments`, { comment: 'Hello, everybody' })
    await panel(page).getByText('Hello, everybody').waitFor()
  })
})
