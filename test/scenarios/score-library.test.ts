import { FlatAuthorizationError, type FlatClient, FlatNotFoundError, FlatValidationError } from 'flat-api'
import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../support/app.ts'
import { recordingClients, scenarioOperations } from '../support/official-client.ts'
import { musicXml } from '../support/scores.ts'

describeApp('a shared score library with the official client', (app) => {
  const { clientOf, called } = recordingClients(app)
  let tess: Person
  let theo: Person
  let sam: Person
  let otto: Person
  let ofTess: FlatClient
  let ofTheo: FlatClient
  let ofSam: FlatClient
  let ofOtto: FlatClient
  let score: string

  beforeAll(async () => {
    const organization = await app.organization('School')
    tess = await app.person('tess', { organization, role: 'teacher', firstname: 'Tess' })
    theo = await app.person('theo', { organization, role: 'teacher', firstname: 'Theo' })
    sam = await app.person('sam', { organization, role: 'user', firstname: 'Sam' })
    otto = await app.person('otto')
    ofTess = clientOf(tess)
    ofTheo = clientOf(theo)
    ofSam = clientOf(sam)
    ofOtto = clientOf(otto)
    const data = musicXml({ title: 'Canon', measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'] })
    score = (await ofTess.scores.createScore({ body: { data } })).id
  })

  it('shares a score with a colleague, who has exactly the granted rights', async () => {
    await expect(ofTheo.scores.getScore({ score })).rejects.toBeInstanceOf(FlatNotFoundError)
    const added = await ofTess.scores.addScoreCollaborator({ score, body: { user: theo.id, aclWrite: true } })
    expect(added).toMatchObject({ user: { id: theo.id }, aclRead: true, aclWrite: true, aclAdmin: false })
    expect(await ofTheo.scores.editScore({ score, body: { subtitle: 'for two' } })).toMatchObject({
      subtitle: 'for two',
      rights: { aclWrite: true, aclAdmin: false, isCollaborator: true, collaboratorType: 'user' },
    })
    await expect(
      ofTheo.scores.editScore({ score, body: { privacy: 'organizationPublic' } }),
    ).rejects.toBeInstanceOf(FlatAuthorizationError)
    const listed = await ofTess.scores.getScoreCollaborators({ score })
    expect(listed.map(({ id }) => id)).toEqual([tess.id, added.id])
    expect(await ofTess.scores.getScoreCollaborator({ score, collaborator: theo.id })).toEqual(listed[1])
    expect(
      (await ofTheo.collections.listCollectionScores({ collection: 'collaborations' })).map(({ id }) => id),
    ).toEqual([score])
  })

  it('comments on a position in the score', async () => {
    const json = await (
      await ofTess.scores.getScoreRevisionData({ score, revision: 'last', format: 'json' })
    ).text()
    const [part] = [JSON.parse(json)['score-partwise'].part].flat()
    const comment = await ofTheo.scores.postScoreComment({
      score,
      body: {
        comment: '@tess too high?',
        rawComment: `@[${tess.id}:tess] too high?`,
        context: {
          partUuid: part.$uuid,
          measureUuids: [part.measure[1].$uuid],
          startTimePos: 0,
          stopTimePos: 1,
          startDpq: 1,
          stopDpq: 1,
        },
      },
    })
    expect(comment).toMatchObject({ type: 'inline', user: theo.id, mentions: [tess.id] })
    const reply = await ofTess.scores.postScoreComment({
      score,
      body: { comment: 'Lower it.', replyTo: comment.id },
    })
    await ofTess.scores.updateScoreComment({
      score,
      comment: reply.id,
      body: { comment: 'Lower it, please.' },
    })
    await ofTess.scores.markScoreCommentResolved({ score, comment: comment.id })
    expect(await ofTheo.scores.getScoreComments({ score })).toEqual([])
    await ofTess.scores.markScoreCommentUnresolved({ score, comment: comment.id })
    const [first, second] = await ofTheo.scores.getScoreComments({ score })
    expect(first).toMatchObject({ id: comment.id, resolved: false })
    expect(second).toMatchObject({ id: reply.id, comment: 'Lower it, please.', replyTo: comment.id })
    const { comments } = await ofTess.scores.getScore({ score })
    expect(comments).toMatchObject({ total: 0 })
    await ofTess.scores.deleteScoreComment({ score, comment: reply.id })
    expect(await ofTess.scores.getScoreComments({ score, type: 'document' })).toEqual([])
  })

  it('adds a recording to the score', async () => {
    const json = await (
      await ofTess.scores.getScoreRevisionData({ score, revision: 'last', format: 'json' })
    ).text()
    const [part] = [JSON.parse(json)['score-partwise'].part].flat()
    const { track } = await ofTess.scores.addScoreTrack({
      score,
      body: {
        title: 'Choir',
        url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        state: 'completed',
        _default: true,
      },
    })
    expect(track).toMatchObject({ type: 'youtube', mediaId: 'dQw4w9WgXcQ', _default: true })
    const synchronizationPoints = [
      { type: 'measure', measureUuid: part.measure[0].$uuid, time: 1.5 },
      { type: 'measure', measureUuid: part.measure[1].$uuid, time: 3 },
      { type: 'end', time: 5.25 },
    ] as const
    const updated = await ofTess.scores.updateScoreTrack({
      score,
      track: track.id,
      body: { synchronizationPoints: [...synchronizationPoints] },
    })
    expect(updated.synchronizationPoints).toEqual(synchronizationPoints)
    expect(await ofTheo.scores.getScoreTrack({ score, track: track.id })).toEqual(updated)
    expect(await ofTheo.scores.listScoreTracks({ score })).toEqual([updated])
    await ofTess.scores.deleteScoreTrack({ score, track: track.id })
    expect(await ofTess.scores.listScoreTracks({ score })).toEqual([])
  })

  it('organizes scores in collections', async () => {
    const songs = await ofTess.collections.createCollection({ body: { title: 'Songs' } })
    expect(songs).toMatchObject({ type: 'regular', privacy: 'private', capabilities: { canAddScores: true } })
    await ofTess.collections.editCollection({ collection: songs.id, body: { title: 'Songs and canons' } })
    expect(
      (await ofTess.collections.addScoreToCollection({ collection: songs.id, score })).collections,
    ).toContain(songs.id)
    expect(await ofTess.collections.getCollection({ collection: songs.id })).toMatchObject({
      title: 'Songs and canons',
      contents: { scoresCount: 1 },
    })
    await ofTess.collections.deleteScoreFromCollection({ collection: songs.id, score })
    expect(await ofTess.collections.listCollectionScores({ collection: songs.id })).toEqual([])
    await ofTess.collections.deleteCollection({ collection: songs.id })
    expect((await ofTess.collections.listCollections({ parent: 'trash' })).map(({ id }) => id)).toEqual([
      songs.id,
    ])
    await expect(ofTess.collections.untrashCollection({ collection: songs.id })).rejects.toBeInstanceOf(
      FlatValidationError,
    )
  })

  it('opens a score to the school; a student finds, likes and copies it', async () => {
    await ofTess.scores.editScore({ score, body: { privacy: 'organizationPublic' } })
    expect((await ofSam.scores.getScore({ score })).rights).toMatchObject({
      aclRead: true,
      isCollaborator: false,
    })
    expect((await sam.put(`/scores/${score}/like`)).status).toBe(204)
    expect((await ofSam.users.getUserLikes({ user: 'me' })).map(({ id }) => id)).toEqual([score])
    expect((await ofSam.scores.getScore({ score })).me?.isLiked).toBe(true)
    const copy = await ofSam.scores.forkScore({ score, body: {} })
    expect(copy).toMatchObject({ title: 'Copy of Canon', parentScore: score, privacy: 'private' })
    expect(copy.user.id).toBe(sam.id)
    const search = await sam.get('/collections/allScores/scores?q=cånon')
    expect(search.body.map(({ id }: { id: string }) => id)).toEqual([copy.id])
  })

  it('hides the score from users outside the school', async () => {
    await expect(ofOtto.scores.getScore({ score })).rejects.toBeInstanceOf(FlatNotFoundError)
    await expect(ofOtto.scores.getScoreComments({ score })).rejects.toBeInstanceOf(FlatNotFoundError)
    await expect(ofOtto.scores.forkScore({ score, body: {} })).rejects.toBeInstanceOf(FlatNotFoundError)
    expect((await otto.put(`/scores/${score}/like`)).status).toBe(404)
  })

  it('removes a collaborator', async () => {
    await ofTheo.scores.removeScoreCollaborator({ score, collaborator: theo.id })
    expect(await ofTess.scores.getScoreCollaborators({ score })).toMatchObject([
      { collaboratorType: 'owner' },
    ])
    await ofTess.scores.editScore({ score, body: { privacy: 'private' } })
    await expect(ofTheo.scores.getScore({ score })).rejects.toBeInstanceOf(FlatNotFoundError)
  })

  it('has called every operation on its list', () => {
    expect([...called]).toEqual(expect.arrayContaining([...scenarioOperations['score-library']]))
  })
})
