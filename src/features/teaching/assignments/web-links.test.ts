import { beforeAll, beforeEach, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { type WebClient, WebError } from '../../../platform/web-client/web-client.ts'

describeEachDatabase('a link', (databases) => {
  const clock = testClock()
  let requests: { address: string; hosts: readonly string[] }[] = []
  let answer: () => unknown = () => ({})
  const web: WebClient = {
    send: () => Promise.reject(new Error('Nothing is sent')),
    notify: () => Promise.reject(new Error('Nothing is sent')),
    checkTarget: () => {},
    async getJson(address: string, hosts: readonly string[]) {
      requests.push({ address, hosts })
      return answer()
    },
  }
  const app = useApp(databases, { linkPreviews: 'true' }, { clock, web })
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
  })
  beforeEach(() => {
    requests = []
  })

  async function attach(url: string) {
    const { id } = await newAssignment(people.tess, schoolClass, { attachments: [{ url }] })
    return async () =>
      (await people.sam.get(`/classes/${schoolClass.id}/assignments/${id}`)).body.attachments[0]
  }
  const plain = (url: string) => ({ type: 'link', url, sharingMode: 'read', teacherOnly: false })

  it('gets the facts from its provider once, after the request', async () => {
    const url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
    const { promise, resolve } = Promise.withResolvers()
    answer = () => promise
    const read = await attach(url)
    expect(await read()).toEqual(plain(url))
    resolve({
      title: 'A waltz',
      author_name: 'Ann',
      author_url: 'https://www.youtube.com/@ann',
      thumbnail_url: 'https://i.ytimg.com/vi/a.jpg',
      thumbnail_width: 480,
      thumbnail_height: 360,
      html: '<iframe width="200" height="113" src="https://www.youtube.com/embed/a" onload="x()"></iframe><script>x()</script>',
      width: 200,
      height: 113,
    })
    await app.jobsDone()
    expect(await read()).toEqual({
      ...plain(url),
      title: 'A waltz',
      authorName: 'Ann',
      authorUrl: 'https://www.youtube.com/@ann',
      thumbnailUrl: 'https://i.ytimg.com/vi/a.jpg',
      thumbnailWidth: 480,
      thumbnailHeight: 360,
      html: '<iframe width="200" height="113" src="https://www.youtube.com/embed/a"></iframe>',
      htmlWidth: 200,
      htmlHeight: 113,
    })
    const query = new URLSearchParams({ url, format: 'json' })
    expect(requests).toEqual([
      { address: `https://www.youtube.com/oembed?${query}`, hosts: ['www.youtube.com'] },
    ])
    await attach(url)
    await app.jobsDone()
    expect(requests).toHaveLength(1)
  })

  it('ignores invalid fields of the response', async () => {
    const url = 'https://vimeo.com/1'
    answer = () => ({
      title: 7,
      author_url: 'javascript:x()',
      thumbnail_url: 'http://192.168.1.1/a.png',
      html: '<iframe src="https://evil.example/"></iframe>',
    })
    const read = await attach(url)
    await app.jobsDone()
    expect(await read()).toEqual(plain(url))
  })

  it.each(['https://example.com/page', 'https://169.254.169.254/', 'https://youtube.com.evil.example/'])(
    'has no facts without a supported provider: %s',
    async (url) => {
      const read = await attach(url)
      await app.jobsDone()
      expect([await read(), requests]).toEqual([plain(url), []])
    },
  )

  it('has no facts while its provider fails, and gets them later', async () => {
    app.expectLog(/WebError: no answer/)
    const url = 'https://soundcloud.com/ann/waltz'
    answer = () => {
      throw new WebError('no answer', { isPassing: true })
    }
    const read = await attach(url)
    await app.jobsDone()
    expect(await read()).toEqual(plain(url))
    answer = () => ({ title: 'Later' })
    clock.forward(minute)
    await app.jobsDone()
    expect(await read()).toEqual({ ...plain(url), title: 'Later' })
  })
})
