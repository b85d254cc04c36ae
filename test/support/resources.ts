import type { Person } from './app.ts'
import type { Reply } from './client.ts'

/** Returns the body of a successful response. */
async function bodyOf(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await reply
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Creates a folder. Returns its id. */
export const newFolder = async (person: Person, title = 'Folder', parent = 'root'): Promise<string> =>
  (await bodyOf(person.post('/eduResources', { type: 'folder', title, parent }))).id

/** Creates an assignment resource. Returns its id. */
export const newResource = async (
  person: Person,
  title = 'Waltz',
  parent = 'root',
  properties: object = {},
): Promise<string> =>
  (await bodyOf(person.post('/eduResources', { type: 'assignment', title, parent, ...properties }))).id

/**
 * Creates an assignment resource with a score of the user attached, which each student gets a copy of.
 * Returns both ids.
 */
export async function newResourceWithScore(
  person: Person,
  score: string,
  parent = 'root',
): Promise<{ id: string; score: string }> {
  const id = await newResource(person, 'Waltz', parent, { resource: { type: 'scoreTemplate' } })
  const attachments = [{ type: 'flat', score, sharingMode: 'copy' }]
  await bodyOf(person.put(`/eduResources/${id}/assignment`, { attachments }))
  return { id, score }
}

/** Returns the titles of a list, in order. */
export async function titlesIn(person: Person, query: string): Promise<string[]> {
  const body = await bodyOf(person.get(`/eduResources?${query}`))
  return (body as unknown as { title: string }[]).map(({ title }) => title)
}
