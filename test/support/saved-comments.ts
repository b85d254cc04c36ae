import type { Person, TestApp } from './app.ts'
import { internalClient } from './client.ts'
import { signedIn } from './sessions.ts'

/** Returns what a session of a user does with the saved comments, with the answers of the server. */
export async function savedCommentsOf(app: TestApp, user: Person) {
  const client = internalClient(await signedIn(app, user))
  return {
    add: (comment: string) => client.post('/saved-comments', { comment }),
    remove: (id: string) => client.delete(`/saved-comments/${id}`),
    list: () => client.get('/saved-comments'),
    async texts(): Promise<string[]> {
      const { body } = await client.get('/saved-comments')
      return body.map(({ comment }: { comment: string }) => comment)
    },
  }
}
