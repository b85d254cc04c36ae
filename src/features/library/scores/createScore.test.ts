import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { base64, emptyPiano, largeMusicXml, musicXml } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'
import { writeJson } from '../../../music/formats/json/write.ts'
import { readMusicXml } from '../../../music/formats/musicxml/read.ts'
import { writeMxl } from '../../../music/formats/mxl/write.ts'
import { midiBytes, midiNote, midiText } from '../../../music/testing/midi-bytes.ts'

const mebibyte = 1024 * 1024

describeApp('createScore', (app) => {
  let people: School
  let tess: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
  })

  const scoresOf = async (person: Person) =>
    (await person.get('/collections/allScores/scores?limit=100')).body

  describe('from builderData', () => {
    it('builds an empty score with the requested instruments, key and time signature', async () => {
      const { status, body } = await tess.post('/scores', {
        title: 'Duo',
        builderData: {
          scoreData: {
            fifths: -3,
            nbBeats: 3,
            beatType: 4,
            instruments: [
              { group: 'strings', instrument: 'violin' },
              { group: 'keyboards', instrument: 'piano' },
            ],
          },
          layoutData: { lengthUnit: 'cm', pageHeight: 29.7, pageWidth: 21 },
        },
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        title: 'Duo',
        instruments: ['strings.violin', 'keyboards.piano'],
        instrumentsNames: ['Violin', 'Piano'],
        mainKeySignature: -3,
        privacy: 'private',
        rights: { aclRead: true, aclWrite: true, aclAdmin: true, collaboratorType: 'owner' },
        user: { id: tess.id },
        collaborators: [{ collaboratorType: 'owner' }],
        samples: ['strings.violin', 'keyboards.acoustic-grand-piano'],
      })
      expect(body.numberMeasures).toBeGreaterThan(0)
    })

    it('returns the id and the date of the new revision in the headers', async () => {
      const { headers, body } = await tess.post('/scores', emptyPiano())
      const [revision, ...others] = (await tess.get(`/scores/${body.id}/revisions`)).body
      expect(others).toEqual([])
      expect(headers.get('x-flat-score-revision')).toBe(revision.id)
      expect(headers.get('x-flat-score-revision-date')).toBe(revision.date)
    })

    it.each<[string, unknown, string]>([
      ['a title', { builderData: emptyPiano().builderData }, 'title'],
      ['instruments', { title: 'x', builderData: { scoreData: {} } }, 'builderData.scoreData.instruments'],
      [
        'known instruments',
        {
          title: 'x',
          builderData: { scoreData: { instruments: [{ group: 'keyboards', instrument: 'kazoo' }] } },
        },
        'builderData.scoreData.instruments.0.instrument',
      ],
      [
        'a key on the circle of fifths',
        {
          title: 'x',
          builderData: { scoreData: { ...emptyPiano().builderData.scoreData, fifths: 8 } },
        },
        'builderData.scoreData.fifths',
      ],
    ])('requires %s', async (_what, request, param) => {
      const { status, body } = await tess.post('/scores', request)
      expect([status, body.param]).toEqual([400, param])
    })

    it('refuses a body that also has file data', async () => {
      const file = { data: musicXml() }
      for (const both of [
        { ...emptyPiano(), ...file },
        { builderData: null, ...file },
        { ...emptyPiano(), data: 5 },
      ]) {
        const { status, body } = await tess.post('/scores', both)
        expect([status, body.code]).toEqual([400, 'INVALID_PARAMETER'])
      }
    })
  })

  describe('from a file', () => {
    it('reads MusicXML as text, with its title and credits', async () => {
      const data = musicXml({
        title: 'Evening',
        composer: 'T. Teacher',
        measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'],
      })
      const { status, body } = await tess.post('/scores', { data })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        title: 'Evening',
        composer: 'T. Teacher',
        numberMeasures: 2,
        durationTime: 4,
      })
    })

    it('ignores the encoding in the XML declaration of text data', async () => {
      const data = musicXml({ title: 'Dvořák' }).replace('UTF-8', 'UTF-16')
      expect((await tess.post('/scores', { data })).body.title).toBe('Dvořák')
    })

    it.each<[string, () => Promise<string> | string]>([
      ['MusicXML', () => base64(musicXml({ title: 'Same' }))],
      ['MusicXML in UTF-16', () => base64(Buffer.from(`\uFEFF${musicXml({ title: 'Same' })}`, 'utf16le'))],
      ['compressed MusicXML', async () => base64(await writeMxl(musicXml({ title: 'Same' })))],
      ['the JSON form', () => base64(writeJson(readMusicXml(Buffer.from(musicXml({ title: 'Same' })))))],
      ['base64 with line breaks', () => base64(musicXml({ title: 'Same' })).replaceAll(/.{76}/g, '$&\r\n')],
    ])('detects the format of %s in base64 by its content, not by its file name', async (_format, data) => {
      const sent = { data: await data(), dataEncoding: 'base64', filename: 'score.gp5' }
      const { status, body } = await tess.post('/scores', sent)
      expect(status).toBe(200)
      expect(body).toMatchObject({ title: 'Same', numberMeasures: 1 })
    })

    it.each<[string, object, string]>([
      ['the field before all else', { title: ' Asked for ', filename: 'named.xml' }, 'Asked for'],
      ['the title in the file before its name', { filename: 'named.xml' }, 'In the file'],
      ['no control of direction', { data: musicXml({ title: 'Waltz\u202Egpj' }) }, 'Waltzgpj'],
      [
        'the file name if the file has no title',
        { data: musicXml({ title: '' }), filename: 'waltz 2.musicxml' },
        'waltz 2',
      ],
      [
        'the file name without folders',
        { data: musicXml({ title: '' }), filename: 'C:\\Scores\\waltz.xml' },
        'waltz',
      ],
      [
        'the file name for a blank title',
        { data: musicXml({ title: '' }), title: '  ', filename: 'waltz.xml' },
        'waltz',
      ],
      ['a default title if there is no name', { data: musicXml({ title: '' }) }, 'New Music Score'],
    ])('chooses the title: %s', async (_what, fields, title) => {
      const { body } = await tess.post('/scores', { data: musicXml({ title: 'In the file' }), ...fields })
      expect(body.title).toBe(title)
    })

    it('reads MIDI and removes characters that the database cannot store from its texts', async () => {
      const data = base64(midiNamed('Lost\0 and \xff found'))
      const { status, body } = await tess.post('/scores', { data, dataEncoding: 'base64' })
      expect(status).toBe(200)
      expect(body).toMatchObject({ numberMeasures: 1 })
      expect(body.title).not.toContain('\0')
    })

    it('reads a karaoke file with faults, tells what it repaired, and returns it as MusicXML', async () => {
      const tune = [60, 62, 64, 65, 67, 69, 71, 72].flatMap((key, beat) => midiNote(beat * 480, key))
      const words = ['\\Lit', 'tle', ' star', ' shines', ' on', ' and', ' on', ' bright']
      const lyrics = words.map((text, beat) => midiText(beat * 480, 0x01, text))
      const file = midiBytes([tune, [midiText(0, 0x01, '@TStar'), ...lyrics]])
      file[11] = 3
      const data = base64(file)
      const { status, body } = await tess.post('/scores', {
        data,
        dataEncoding: 'base64',
        filename: 'star.kar',
      })
      const message = 'The header announces 3 tracks, at byte 10. The file has 2.'
      expect([status, body.title, body.importWarnings]).toEqual([200, 'Star', [{ line: null, message }]])
      const xml = Buffer.from((await tess.get(`/scores/${body.id}/revisions/last/xml`)).bytes).toString()
      expect([...xml.matchAll(/<step>(.)/g)].map(([, step]) => step)).toEqual([...'CDEFGABC'])
      expect(xml).toMatch(/<syllabic>begin<\/syllabic>\s*<text>Lit/)
    })

    it('shortens a long title without splitting a character', async () => {
      const { body } = await tess.post('/scores', { data: musicXml({ title: `a${'𝄞'.repeat(900)}` }) })
      expect(body.title.length).toBeLessThanOrEqual(1000)
      expect(body.title).toMatch(/^a𝄞+$/u)
    })

    it('stores nothing of an invalid file and returns the position of the error', async () => {
      const before = await scoresOf(tess)
      const { status, body } = await tess.post('/scores', {
        data: musicXml().replace('</measure>', '</mesure>'),
      })
      expect([status, body.code]).toEqual([400, 'INVALID_MUSICXML'])
      expect(body.message).toMatch(/line \d+/)
      expect(await scoresOf(tess)).toEqual(before)
    })

    it('repairs a faulty file, and tells what it changed', async () => {
      const faulty = musicXml().replace('<measure', 'stray\n<measure')
      const { status, body } = await tess.post('/scores', { data: faulty })
      const line = faulty.slice(0, faulty.indexOf('<measure')).split('\n').length
      const importWarnings = [
        { line, message: '<part> has the text "stray" beside elements. The text was left out.' },
      ]
      expect([status, body.importWarnings]).toEqual([200, importWarnings])
      const { body: revision } = await tess.get(`/scores/${body.id}/revisions/last`)
      expect(revision.importWarnings).toEqual(importWarnings)
    })

    it('lists a hundred repairs of a file, and the number of the others', async () => {
      const { body } = await tess.post('/scores', {
        data: musicXml().replace('<part ', `${'<credit/>x'.repeat(130)}<part `),
      })
      expect(body.importWarnings).toHaveLength(101)
      expect(body.importWarnings[100]).toEqual({ line: null, message: '30 more faults were repaired.' })
    })

    it('tells of no repairs of a correct file', async () => {
      const { body } = await tess.post('/scores', { data: musicXml() })
      expect(body).not.toHaveProperty('importWarnings')
      const { body: revision } = await tess.get(`/scores/${body.id}/revisions/last`)
      expect(revision).not.toHaveProperty('importWarnings')
    })

    it.each(['=not base64=', 'PD94bWwg!', 'PD94b Wwg', 'ÄÖÜ'])('refuses %j as base64', async (data) => {
      const { status, body } = await tess.post('/scores', { data, dataEncoding: 'base64' })
      expect([status, body.code, body.param]).toEqual([400, 'INVALID_DATA_ENCODING', 'data'])
    })

    it('accepts files up to 10 MiB', async () => {
      const { status, body } = await tess.post('/scores', { data: largeMusicXml(10 * mebibyte) })
      expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    })
  })

  it.each<[string, object, string]>([
    ['a title that is not a text', { title: 5 }, 'title'],
    ['a title that is too long', { title: 'x'.repeat(1001) }, 'title'],
    ['an unknown privacy', { privacy: 'secret' }, 'privacy'],
    ['an unknown encoding', { dataEncoding: 'hex' }, 'dataEncoding'],
    ['data that is no text', { data: ['<xml/>'] }, 'data'],
    ['a collection that is not a text', { collection: 1 }, 'collection'],
    ['a flag that is not a boolean', { supportsTasks: 'true' }, 'supportsTasks'],
  ])('names the invalid field: %s', async (_what, fields, param) => {
    const { status, body } = await tess.post('/scores', { data: musicXml(), ...fields })
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', param])
  })

  it('refuses a body with neither builder data nor a file', async () => {
    for (const body of [{}, { title: 'Only a title' }, [], 'text', null]) {
      expect((await tess.post('/scores', body)).status).toBe(400)
    }
  })

  it('ignores unknown fields', async () => {
    expect((await tess.post('/scores', { data: musicXml(), colour: 'red' })).status).toBe(200)
  })

  it('refuses a source in Google Drive', async () => {
    const { status, body } = await tess.post('/scores', { source: { googleDrive: 'a-file' } })
    expect([status, body.code]).toEqual([400, 'GOOGLE_DRIVE_NOT_CONNECTED'])
  })

  describe('privacy', () => {
    it('is private by default', async () => {
      const { body } = await tess.post('/scores', { data: musicXml() })
      expect(body.privacy).toBe('private')
      expect(body.publicationDate).toBeUndefined()
    })

    it('public sets the publication date immediately', async () => {
      const { body } = await people.otto.post('/scores', { data: musicXml(), privacy: 'public' })
      expect(body.publicationDate).toBe(body.creationDate)
    })

    it.each([
      ['a file', { data: musicXml() }],
      ['a builder', emptyPiano()],
      ['a task', { data: largeMusicXml(mebibyte), supportsTasks: true }],
    ])('public is refused for %s if the organization does not allow it', async (_, sent) => {
      const before = await scoresOf(tess)
      const { status, body } = await tess.post('/scores', { ...sent, privacy: 'public' })
      expect([status, body.code, body.param]).toEqual([403, 'PUBLIC_SCORES_DISABLED', 'privacy'])
      expect(await scoresOf(tess)).toEqual(before)
    })

    it('privateLink creates a sharing key', async () => {
      const { body } = await tess.post('/scores', { data: musicXml(), privacy: 'privateLink' })
      expect(body.sharingKey).toMatch(/^[0-9a-f]{128}$/)
    })
  })

  describe('collection', () => {
    it('defaults to the collection of personal tokens', async () => {
      const { body } = await tess.post('/scores', { data: musicXml() })
      const collection = (await tess.get('/collections/app')).body
      expect(body.collections).toEqual([collection.id])
      expect((await tess.post('/scores', { data: musicXml(), collection: 'app' })).body.collections).toEqual([
        collection.id,
      ])
    })

    it('root stores the score in no collection', async () => {
      const { body } = await tess.post('/scores', { data: musicXml(), collection: 'root' })
      expect(body.collections).toEqual([])
    })

    it('is selected by its id', async () => {
      const collection = await newCollection(app, people.otto, 'Mine')
      const { body } = await people.otto.post('/scores', { data: musicXml(), collection })
      expect(body.collections).toEqual([collection])
      expect((await people.otto.get(`/collections/${collection}`)).body.contents.scoresCount).toBe(1)
    })

    it.each([
      ['of a file', { data: musicXml({ title: 'As <it> is' }) }],
      ['of a file in no collection', { data: musicXml(), collection: 'root' }],
      ['of builder data', emptyPiano('Étude "1"')],
      ['that is public', { ...emptyPiano(), privacy: 'public' }],
      ['with a link', { ...emptyPiano(), privacy: 'privateLink', collection: 'app' }],
    ])('of an answer, like all of it, is that of getScore, for a score %s', async (_, sent) => {
      const { status, body } = await people.otto.post('/scores', sent)
      expect(status).toBe(200)
      expect((await people.otto.get(`/scores/${body.id}`)).body).toEqual(body)
    })

    it('of another user is refused like an unknown one', async () => {
      const foreign = await newCollection(app, people.otto, 'Mine')
      const before = await scoresOf(tess)
      for (const collection of [foreign, '0123456789abcdef01234567', 'nonsense', '']) {
        const { status, body } = await tess.post('/scores', { data: musicXml(), collection })
        expect([status, body.code, body.param]).toEqual([404, 'COLLECTION_NOT_FOUND', 'collection'])
      }
      expect(await scoresOf(tess)).toEqual(before)
    })

    it('can be a shared one to which the caller can write, which then shares the score', async () => {
      const shared = await newCollection(app, people.theo, 'Ours')
      const create = async () => {
        const { status, body } = await tess.post('/scores', { data: musicXml(), collection: shared })
        return status === 200 ? body : [status, body.code, body.param]
      }
      await give(app, { on: 'collection', id: shared }, { user: tess.id }, 'read')
      expect(await create()).toEqual([403, 'COLLECTION_ACCESS_DENIED', 'collection'])
      await give(app, { on: 'collection', id: shared }, { user: tess.id }, 'write')
      const score = await create()
      expect(score.collections).toEqual([shared])
      const { body } = await people.theo.get(`/collections/${shared}/scores`)
      expect(body).toMatchObject([
        { id: score.id, user: { id: tess.id }, rights: { aclWrite: true, aclAdmin: false } },
      ])
    })

    it('in the trash is refused', async () => {
      const trashed = await newCollection(app, tess, 'Gone')
      await tess.delete(`/collections/${trashed}`)
      const { status, body } = await tess.post('/scores', { data: musicXml(), collection: trashed })
      expect([status, body.code, body.param]).toEqual([409, 'COLLECTION_TRASHED', 'collection'])
    })

    it.each(['trash', 'allScores'])('%s accepts no scores', async (collection) => {
      const { status, body } = await tess.post('/scores', { data: musicXml(), collection })
      expect([status, body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
    })
  })

  describe('supportsTasks', () => {
    it('responds with a task for a file above 1 MiB, and the task results in the score', async () => {
      const data = largeMusicXml(mebibyte, 'Large')
      const { status, body } = await tess.post('/scores', {
        data,
        supportsTasks: true,
        privacy: 'organizationPublic',
      })
      expect(status).toBe(202)
      expect(body).toMatchObject({ type: 'score-save', collaborators: [] })
      await app.jobsDone()
      const task = (await tess.get(`/tasks/${body.id}`)).body
      expect(task).toMatchObject({ id: body.id, state: 'done', progress: { percent: 100 } })
      const score = (await tess.get(`/scores/${task.score}`)).body
      expect(score).toMatchObject({ title: 'Large', privacy: 'organizationPublic', numberMeasures: 1 })
      expect(score.collections).toEqual([(await tess.get('/collections/app')).body.id])
      expect((await tess.get(`/scores/${task.score}/revisions/last`)).body.id).toBe(task.revision)
    })

    it('imports smaller files, and files of clients without task support, during the request', async () => {
      expect((await tess.post('/scores', { data: musicXml(), supportsTasks: true })).status).toBe(200)
      expect((await tess.post('/scores', { data: largeMusicXml(mebibyte) })).status).toBe(200)
    })

    it('fails the task with the error in the file, and stores no score', async () => {
      const before = await scoresOf(people.sam)
      const data = largeMusicXml(mebibyte).replace('</measure>', '</mesure>')
      const { id } = (await people.sam.post('/scores', { data, supportsTasks: true })).body
      await app.jobsDone()
      const task = (await people.sam.get(`/tasks/${id}`)).body
      expect(task.state).toBe('error')
      expect(task.result.error).toMatch(/line \d+/)
      expect(task.score).toBeUndefined()
      expect(await scoresOf(people.sam)).toEqual(before)
    })
  })
})

/** Creates a Standard MIDI File of one whole note whose sequence name is encoded in Latin-1. */
function midiNamed(name: string): Buffer {
  const text = Buffer.from(name, 'latin1')
  const events = [0, 0xff, 3, text.length, ...text, 0, 0x90, 60, 64, 0x87, 0, 0x80, 60, 64, 0, 0xff, 0x2f, 0]
  const header = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\xf0MTrk\0\0\0', 'latin1')
  return Buffer.concat([header, Buffer.from([events.length, ...events])])
}
