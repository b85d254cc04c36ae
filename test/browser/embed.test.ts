import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import {
  type EmbeddingPage,
  type EmbeddingSite,
  embeddingPage,
  embeddingSite,
} from '../support/embedding-site.ts'
import { musicXml } from '../support/scores.ts'

/** Four measures of 4/4 for two parts. The last note of the first measure of the violin is a rest. */
const duo = musicXml({
  title: 'Duo',
  composer: 'Clara',
  measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4', 'C4 E4 G4 E4', 'D4 F4 A4 F4'],
  parts: ['Violin', 'Piano'],
}).replace('<pitch><step>F</step><octave>4</octave></pitch>', '<rest/>')

/** What Chromium reports. */
const refusedFrame = /Refused to display|Framing '/

const patient = { timeout: 20_000 }

interface Part {
  readonly idx: number
  readonly uuid: string
  readonly name: string
}

const partsOf = async (page: EmbeddingPage, method = 'getParts') =>
  (await page.call<Part[]>(method)).map(({ name }) => name)
interface Styled {
  readonly style: { getPropertyValue(name: string): string }
}

/** Each parameter that has an effect, and the effect. */
const parameters: readonly (readonly [
  parameters: object,
  what: string,
  check: (page: EmbeddingPage) => Promise<unknown>,
  expected: unknown,
])[] = [
  [{ controlsDisplay: false }, 'no controls', (page) => count(page, '.controls'), 0],
  [{ controlsPlay: false }, 'no play button', (page) => count(page, '.control-main'), 0],
  [{ hideFlatPlayback: true }, 'no play button', (page) => count(page, '.control-main'), 0],
  [{ controlsZoom: false }, 'no zoom', (page) => count(page, '[title="Zoom in"]'), 0],
  [{ controlsPrint: false }, 'no print button', (page) => count(page, '[title="Print"]'), 0],
  [{ controlsFullscreen: false }, 'no button', (page) => count(page, '[title="Full screen"]'), 0],
  [{ controlsPanel: false }, 'no settings', (page) => count(page, '[title="Playback settings"]'), 0],
  [{ controlsParts: true }, 'a list of parts', (page) => count(page, '[title="Parts"]'), 1],
  [{ controlsPosition: 'top' }, 'controls above', (page) => count(page, '#embed > .controls:first-child'), 1],
  [{ branding: false }, 'no link to the server', (page) => count(page, '.controls-brand'), 0],
  [{ locale: 'fr' }, 'French', (page) => count(page, '[title="Imprimer"]'), 1],
  [{ locale: 'ja' }, 'English', (page) => count(page, '[title="Print"]'), 1],
  [{ layout: 'track' }, 'one line', (page) => count(page, '[data-layout="track"] svg'), 1],
  [{ layout: 'page' }, 'pages', (page) => count(page, '[data-layout="page"] svg'), 1],
  [{ zoom: 0.7 }, 'the zoom', (page) => page.call('getZoom'), 0.7],
  [{ parts: ['1'] }, 'one part', (page) => partsOf(page, 'getDisplayedParts'), ['Piano']],
  [{ parts: ['Violin'] }, 'one part', (page) => partsOf(page, 'getDisplayedParts'), ['Violin']],
  [{ drawOnlyFirstPage: true }, 'one page', (page) => count(page, '.sheet-page'), 1],
  [{ noHeader: true }, 'a cut page', (page) => viewBoxTop(page), true],
  [{ noAudio: true }, 'no sound', (page) => page.refusal('play'), 'This embed has no sound: noAudio is set.'],
  [{ playbackMetronome: 'count-in' }, 'a count-in', (page) => page.call('getMetronomeMode'), 0],
  [{ playbackMetronome: 'active' }, 'a metronome', (page) => page.call('getMetronomeMode'), 1],
  [{ playbackVolumeMaster: 0.3 }, 'the volume', (page) => page.call('getMasterVolume'), 30],
  [{ themePrimary: '#123456' }, 'a color', (page) => variable(page, '--primary'), '#123456'],
  [{ themePrimaryDark: 'red' }, 'a color', (page) => variable(page, '--primary-dark'), 'red'],
  [{ themeControlsBackground: 'red' }, 'a color', (page) => variable(page, '--controls'), 'red'],
  [{ themeSlider: 'red' }, 'a color', (page) => variable(page, '--slider'), 'red'],
  [{ themeCursorV0: 'red' }, 'a color', (page) => variable(page, '--cursor-voice-1'), 'red'],
  [{ themeCursorV1: 'red' }, 'a color', (page) => variable(page, '--cursor-voice-2'), 'red'],
  [{ themeSelection: 'red' }, 'a color', (page) => variable(page, '--loop'), 'red'],
  [{ themePrimary: 'url(x)' }, 'no value that is no color', (page) => variable(page, '--primary'), ''],
  [{ themeScoreBackground: 'white' }, 'white', (page) => count(page, '[data-background="white"]'), 1],
  [{ mode: 'edit', MIDI: true, unknown: 'x' }, 'the score', (page) => page.call('getNbMeasures'), 4],
]

const count = ({ page }: EmbeddingPage, selector: string) =>
  page.frameLocator('iframe').locator(selector).count()
const viewBoxTop = async ({ page }: EmbeddingPage) => {
  const box = await page.frameLocator('iframe').locator('.sheet svg').first().getAttribute('viewBox')
  return Number(box?.split(' ')[1]) > 100
}
const variable = ({ page }: EmbeddingPage, name: string) =>
  page
    .frameLocator('iframe')
    .locator('#embed')
    .evaluate((root, name) => (root as unknown as Styled).style.getPropertyValue(name), name)

describeInBrowser('an embed, driven by the unmodified client', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let site: EmbeddingSite
  let clara: Person
  let score: string

  const add = async (privacy: string): Promise<{ id: string; sharingKey: string }> =>
    (await clara.post('/scores', { data: duo, privacy })).body
  beforeAll(async () => {
    site = await embeddingSite()
    clara = await app.person('clara')
    score = (await add('public')).id
  })
  afterAll(() => site?.close())

  const visit = async (): Promise<EmbeddingPage> => {
    const { page } = await browser.open(undefined)
    return embeddingPage(page, site, `${app.url}/embed`)
  }
  const names = async (page: EmbeddingPage) => (await page.heard()).map(([event]) => event)

  it('plays, and tells what happens', async () => {
    const page = await visit()
    const events = ['scoreLoaded', 'embedSize', 'play', 'playbackPosition', 'pause', 'stop', 'cursorPosition']
    await page.show({ score }, events)
    // A method that is called at once waits for the score.
    expect(await page.call('getNbMeasures')).toBe(4)
    await expect.poll(() => names(page), patient).toContain('scoreLoaded')
    await page.call('play')
    const started = ['play', 'playbackPosition', 'cursorPosition', 'embedSize']
    await expect.poll(() => names(page), patient).toEqual(expect.arrayContaining(started))
    await page.call('pause')
    await page.call('stop')
    await expect.poll(() => names(page), patient).toEqual(expect.arrayContaining(['pause', 'stop']))
    const [uuid] = await page.call<string[]>('getPartsUuids')
    const partUuid = { partUuid: uuid }
    expect(await page.call('getMasterVolume')).toBe(100)
    await page.call('setMasterVolume', { volume: 40 })
    expect(await page.call('getMasterVolume')).toBe(40)
    await page.call('mute')
    expect(await page.call('getMasterVolume')).toBe(0)
    expect(await page.refusal('setMasterVolume', { volume: 101 })).toContain('between 0 and 100')
    expect(await page.call('getPartVolume', partUuid)).toBe(100)
    await page.call('setPartVolume', { ...partUuid, volume: 30 })
    expect(await page.call('getPartVolume', partUuid)).toBe(30)
    await page.call('mutePart', partUuid)
    await page.call('unmutePart', partUuid)
    expect(await page.call('getPartSoloMode', partUuid)).toBe(false)
    await page.call('setPartSoloMode', partUuid)
    expect(await page.call('getPartSoloMode', partUuid)).toBe(true)
    await page.call('unsetPartSoloMode', partUuid)
    expect(await page.call('getPartSoloMode', partUuid)).toBe(false)
    await page.call('setPartReverb', { ...partUuid, reverberation: 70 })
    expect(await page.call('getPartReverb', partUuid)).toBe(70)
    expect(await page.refusal('getPartVolume', { partUuid: 'none' })).toBe('The score has no part none.')
    expect(await page.call('getMetronomeMode')).toBe(2)
    for (const mode of [0, 1, 2]) {
      await page.call('setMetronomeMode', mode)
      expect(await page.call('getMetronomeMode')).toBe(mode)
    }
    await page.call('setPlaybackSpeed', 0.2)
    expect(await page.call('getPlaybackSpeed')).toBe(0.2)
  })

  it('follows a recording that the page plays', async () => {
    const page = await visit()
    await page.show({ score })
    const track = { id: 'mine', type: 'external', totalTime: 40 }
    const at = (time: number, measureIdx: number) => ({ type: 'measure', time, location: { measureIdx } })
    await page.call('setTrack', {
      ...track,
      synchronizationPoints: [at(0, 0), at(10, 2), { type: 'end', time: 30 }],
    })
    expect(await page.refusal('seekTrackTo', { time: 1 })).toContain('Call useTrack first')
    await page.call('useTrack', { id: 'mine' })
    await page.call('seekTrackTo', { time: 25 })
    expect(await page.call('getCursorPosition')).toMatchObject({ measureIdx: 3, noteIdx: 2 })
    expect(await page.refusal('useTrack', { id: 'other' })).toContain('There is no track other')
    const video = { ...track, type: 'youtube', mediaId: 'x', synchronizationPoints: [] }
    expect(await page.refusal('setTrack', video)).toContain('nothing from other sites')
  })

  it('answers what is at the cursor, and moves it', async () => {
    const page = await visit()
    const events = ['cursorPosition', 'cursorContext', 'measureDetails', 'noteDetails', 'rangeSelection']
    await page.show({ score }, events)
    const uuids = await page.call<string[]>('getMeasuresUuids')
    const [violin = ''] = await page.call<string[]>('getPartsUuids')
    expect(await page.call('getCursorPosition')).toMatchObject({
      ...{
        partIdx: 0,
        partUuid: violin,
        staffIdx: 0,
        voiceIdxInStaff: 0,
        measureIdx: 0,
        measureUuid: uuids[0],
      },
      ...{ noteIdx: 0, line: -1, dpq: 1, timePos: 0 },
    })
    const [voiceUuid] = await page.call<string[]>('getMeasureVoicesUuids', {
      partUuid: violin,
      measureUuid: uuids[0],
    })
    const voice = { partUuid: violin, measureUuid: uuids[0], voiceUuid }
    expect(await page.call('getMeasureNbNotes', voice)).toBe(4)
    expect(await page.call('getNoteData', { ...voice, noteIdx: 3 })).toEqual({
      ...{
        articulations: [],
        classicHarmony: null,
        durationType: 'quarter',
        dynamicStyle: null,
        harmony: null,
      },
      ...{ isInSlur: false, isRest: true, lyrics: [], nbDots: 0, nbGraces: 0, ornaments: [], technical: [] },
      ...{ tupletType: null, wedgeType: null },
    })
    const playbackPosition = { currentMeasure: 1, quarterFromMeasureStart: 2.5 }
    expect(await page.call('playbackPositionToNoteIdx', { ...voice, playbackPosition })).toBe(2)
    expect(await page.call('setCursorPosition', { measureIdx: 1, noteIdx: 99, unknown: 1 })).toMatchObject({
      ...{ measureIdx: 1, noteIdx: 3, timePos: 3.5 },
    })
    expect(await page.refusal('setCursorPosition', { measureIdx: true })).toBe(
      'Parameter measureIdx should be a number, not boolean',
    )
    await page.call('goRight', true)
    expect(await page.call('getCursorPosition')).toMatchObject({ measureIdx: 2, noteIdx: 0 })
    await page.call('goLeft')
    expect(await page.call('getCursorPosition')).toMatchObject({ measureIdx: 1, noteIdx: 3 })
    expect(await page.call('getNoteDetails')).toMatchObject({ pitches: [{ step: 'D', octave: 4, alter: 0 }] })
    expect(await page.call('getMeasureDetails')).toMatchObject({
      clef: { sign: 'G', line: 2, 'clef-octave-change': 0 },
      key: { fifths: 0 },
      time: { beats: 4, 'beat-type': 4 },
      tempo: { qpm: 120, bpm: 120, durationType: 'quarter', nbDots: 0 },
      transpose: { chromatic: '0' },
    })
    await page.call('scrollToCursor')
    const music = page.page.frameLocator('iframe').locator('[data-measure]')
    await music.nth(0).hover({ position: { x: 5, y: 5 } })
    await page.page.mouse.down()
    await music.nth(2).hover({ position: { x: 5, y: 5 } })
    await page.page.mouse.up()
    await expect.poll(() => names(page), patient).toEqual(expect.arrayContaining(events))
    const last = page.page.frameLocator('iframe').locator(`[data-measure="${uuids[3]}"]`)
    await last.first().click({ position: { x: 5, y: 5 } })
    await expect
      .poll(() => page.call('getCursorPosition'), patient)
      .toMatchObject({ measureIdx: 3, noteIdx: 0 })
  })

  it('returns the score in every format', async () => {
    const page = await visit()
    await page.show({ score }, ['exportProgress'])
    expect(await page.call('getFlatScoreMetadata')).toMatchObject({ id: score, title: 'Duo' })
    expect(await page.call<string>('getMusicXML')).toContain('<work-title>Duo</work-title>')
    expect((await page.bytes('getMusicXML', { compressed: true })).start).toMatch(/^PK/)
    expect((await page.bytes('getMIDI')).start).toMatch(/^MThd/)
    const parts = await page.call<string[]>('getPartsUuids')
    const options = { parts: parts.slice(0, 1), isConcertPitch: true }
    expect((await page.bytes('getPDF', options)).start).toMatch(/^%PDF/)
    const [line, paper] = [
      await page.call<string>('getSVG'),
      await page.call<string>('getSVG', { layout: 'page' }),
    ]
    expect([line.slice(0, 4), paper.slice(0, 4)]).toEqual(['<svg', '<svg'])
    const shape = (svg: string) =>
      svg
        .match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/)
        ?.slice(1)
        .map(Number) ?? []
    const [[lineWidth = 0, lineHeight = 1], [width = 0, height = 1]] = [shape(line), shape(paper)]
    expect([lineWidth > lineHeight, width < height]).toEqual([true, true])
    const small = await page.bytes('getPNG', { result: 'Uint8Array', dpi: 50 })
    const large = await page.bytes('getPNG', { result: 'Uint8Array', dpi: 200, layout: 'page' })
    expect([small.start, large.length > small.length]).toEqual(['\x89PNG\r\n\x1a\n', true])
    expect(await page.call('getPNG', { result: 'dataURL' })).toMatch(/^data:image\/png;base64,iVBOR/)
    expect(await page.refusal('getPNG', { dpi: 5000 })).toContain('between 50 and 300')
    expect((await page.bytes('getMP3')).length).toBeGreaterThan(10_000)
    const wav = await page.bytes('getWAV')
    expect([wav.start.slice(0, 4), wav.length > 1_000_000]).toEqual(['RIFF', true])
    expect((await page.heard()).at(-1)).toEqual(['exportProgress', { format: 'mp3', progress: 100 }])
  })

  it('shows music that the page hands in, and says what is wrong with it', async () => {
    const page = await visit()
    await page.show({}, ['scoreLoaded'])
    expect(await page.refusal('getJSON')).toBe('No score is loaded.')
    await page.call('loadMusicXML', duo)
    const document = await page.call<Record<string, { credit: unknown }>>('getJSON')
    const title = [{ 'credit-type': 'title', 'credit-words': 'Duo' }]
    expect(document['score-partwise']?.credit).toEqual(title)
    expect(await page.refusal('getFlatScoreMetadata')).toContain('no metadata')
    await page.call('loadJSON', document)
    const again = await page.call<Record<string, { credit: unknown }>>('getJSON')
    expect(again['score-partwise']?.credit).toEqual(title)
    // The midi of the embed is what the page hands in next.
    await page.page.evaluate('embed.getMIDI().then((midi) => embed.loadMIDI(midi))')
    expect(await partsOf(page)).toHaveLength(2)
    await expect.poll(() => names(page), patient).toHaveLength(3)
    expect(await page.refusal('loadMusicXML', '<nonsense')).toContain('Invalid MusicXML file format.')
    expect(await page.refusal('loadJSON', '{}')).toContain('Invalid score JSON')
    expect(await page.refusal('loadABC', 'X:1\nK:C\nCDEF|')).toContain('cannot be read yet')
    // What was shown stays.
    expect(await page.call('getNbParts')).toBe(2)
    await page.call('loadFlatScore', score)
    expect(await partsOf(page)).toEqual(['Violin', 'Piano'])
    expect(await page.refusal('loadFlatScore', (await add('private')).id)).toBe('There is no such score.')
  })

  it('changes its view and the parts that are shown', async () => {
    const page = await visit()
    await page.show({ score }, ['embedSize', 'fullscreen'])
    const frame = page.page.frameLocator('iframe')
    expect(await page.call('getAutoZoom')).toBe(true)
    expect(await page.call('setZoom', 0.5)).toBe(0.5)
    expect([await page.call('getZoom'), await page.call('getAutoZoom')]).toEqual([0.5, false])
    expect(Math.round((await frame.locator('.sheet-page').first().boundingBox())?.width ?? 0)).toBe(397)
    expect(await page.call('setAutoZoom', true)).toBe(true)
    expect(await page.refusal('setZoom', 9)).toContain('between 0.1 and 3')
    for (const wanted of [['Piano'], ['1'], [1]]) {
      await page.call('setDisplayedParts', wanted)
      expect(await partsOf(page, 'getDisplayedParts')).toEqual(['Piano'])
    }
    const uuids = await page.call<string[]>('getPartsUuids')
    await page.call('setDisplayedParts', uuids.slice(0, 1))
    await expect.poll(() => frame.locator(`[data-part="${uuids[1]}"]`).count(), patient).toBe(0)
    expect(await page.refusal('setDisplayedParts', ['Oboe'])).toBe('The score has no part Oboe.')
    await page.call('setEditorConfig', { displayMode: 'page', toolsetId: 'x' })
    expect(await page.call('getEmbedConfig')).toMatchObject({
      displayMode: 'page',
      toolsetId: 'x',
      zoom: 'auto',
    })
    await page.call('focusScore')
    expect(await page.page.evaluate('document.activeElement.tagName')).toBe('IFRAME')
    await frame.getByRole('button', { name: 'Full screen' }).click()
    await expect.poll(() => page.heard(), patient).toContainEqual(['fullscreen', true])
    await page.call('fullscreen', false)
    await expect.poll(() => page.heard(), patient).toContainEqual(['fullscreen', false])
    // The dialog of the browser would stop the frame.
    await frame
      .locator('#embed')
      .evaluate("void (window.print = () => (document.body.className = 'printed'))")
    await page.call('print')
    await frame.locator('body.printed').waitFor()
    expect(await page.refusal('call', 'undo')).toContain('no editor yet')
    expect(await page.refusal('call', 'nonsense')).toBe('This embed has no method nonsense.')
  })

  it('opens for who has the key of a link, and is refused a frame and data for a private score', async () => {
    const page = await visit()
    const shared = await add('privateLink')
    await page.show({ score: shared.id, embedParams: { sharingKey: shared.sharingKey } })
    expect(await page.call('getNbMeasures')).toBe(4)
    expect(await page.call('getFlatScoreMetadata')).toMatchObject({ id: shared.id })
    const hidden = await add('private')
    const refused = page.page.waitForEvent('console', (message) => refusedFrame.test(message.text()))
    await page.show({ score: hidden.id })
    await refused
    expect(await page.page.frameLocator('iframe').locator('#embed').count()).toBe(0)
  })

  it('obeys each parameter of its address', async () => {
    const page = await visit()
    for (const [embedParams, what, check, expected] of parameters) {
      await page.show({ score, embedParams })
      await page.call('getNbMeasures')
      const result = async () => [embedParams, what, await check(page)]
      await expect.poll(result, patient).toEqual([embedParams, what, expected])
    }
  })
})
