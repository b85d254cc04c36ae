import type { Person } from './app.ts'
import type { Reply } from './client.ts'

/** Makes something in a library, as somebody does; what is answered. */
async function made(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await reply
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** A folder; its id. */
export const newFolder = async (person: Person, title = 'Folder', parent = 'root'): Promise<string> =>
  (await made(person.post('/eduResources', { type: 'folder', title, parent }))).id

/** A resource that is an assignment; its id. */
export const newResource = async (
  person: Person,
  title = 'Waltz',
  parent = 'root',
  about: object = {},
): Promise<string> => (await made(person.post('/eduResources', { type: 'assignment', title, parent, ...about }))).id

/** The same with a score of the person's attached, which students get a copy of; the ids of both. */
export async function newResourceWithScore(
  person: Person,
  score: string,
  parent = 'root',
): Promise<{ id: string; score: string }> {
  const id = await newResource(person, 'Waltz', parent, { resource: { type: 'scoreTemplate' } })
  const attachments = [{ type: 'flat', score, sharingMode: 'copy' }]
  await made(person.put(`/eduResources/${id}/assignment`, { attachments }))
  return { id, score }
}

/** The titles of a list, in order. */
export async function titlesIn(person: Person, query: string): Promise<string[]> {
  const body = await made(person.get(`/eduResources?${query}`))
  return (body as unknown as { title: string }[]).map(({ title }) => title)
}
