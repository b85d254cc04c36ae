import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Person, TestApp } from './app.ts'
import type { Reply } from './client.ts'
import { musicXml } from './scores.ts'

/** Returns a score of four notes with a comment of so many characters that cannot be compressed well. */
export const incompressibleXml = (characters: number, measures?: string[]): string =>
  musicXml(measures && { measures }).replace(
    '<work>',
    `<!--${randomBytes(characters).toString('hex').slice(0, characters)}--><work>`,
  )

/** Saves a score that needs at least half as many bytes of storage as its comment has characters. */
export const saveBytes = (person: Person, characters: number): Promise<Reply> =>
  person.post('/scores', { title: 'Long', data: incompressibleXml(characters) })

/** Returns the number of bytes that the account counts. */
export async function countedBytes({ ctx }: TestApp, { id }: Pick<Person, 'id'>): Promise<number> {
  const row = await ctx.db.read
    .selectFrom('user_storage')
    .select('bytes')
    .where('user_id', '=', id)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

/** Returns the files of the large blobs. */
export async function blobFileNames({ ctx }: TestApp): Promise<string[]> {
  const entries = await readdir(join(ctx.config.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

interface Holding {
  holder: string
  bytes: number
}

/**
 * Compares what accounts and organizations count with what their rows add up to. Returns a line for each
 * difference.
 */
export async function wrongCounts({ ctx }: TestApp): Promise<string[]> {
  const read = async (query: ReturnType<typeof sql<Holding>>) => (await query.execute(ctx.db.read)).rows
  const [ofAccounts, ofRows, ofOrganizations, ofMembers] = await Promise.all([
    read(sql<Holding>`select user_id as holder, bytes from user_storage`),
    read(sql<Holding>`
      select holder, cast(sum(bytes) as bigint) as bytes from (
        select scores.owner_id as holder, score_revisions.stored_bytes as bytes
          from score_revisions join scores on scores.id = score_revisions.score_id
        union all select user_id, source_bytes from tasks where source_blob is not null
        union all select apps.owner_id, length(content) from app_logos join apps on apps.id = app_logos.app_id
          where apps.owner_id is not null
        union all select user_id, length(content) from profile_pictures
        union all select creator_id, octet_length(points) from score_tracks
        union all select user_id, size from recording_files
      ) as stored group by holder`),
    read(sql<Holding>`select organization_id as holder, bytes from organization_storage`),
    read(sql<Holding>`
      select organization_id as holder, cast(sum((bytes + 1048575) / 1048576 * 1048576) as bigint) as bytes
        from user_storage join users on users.id = user_storage.user_id
        where organization_id is not null group by organization_id`),
  ])
  return [...differences(ofAccounts, ofRows), ...differences(ofOrganizations, ofMembers)]
}

function differences(counted: readonly Holding[], summed: readonly Holding[]): string[] {
  const sums = new Map(summed.map(({ holder, bytes }) => [holder, bytes]))
  const counts = new Map(counted.map(({ holder, bytes }) => [holder, bytes]))
  return [...new Set([...sums.keys(), ...counts.keys()])].flatMap((holder) => {
    const [count, sum] = [counts.get(holder) ?? 0, sums.get(holder) ?? 0]
    return count === sum ? [] : `${holder} counts ${count}, but has ${sum}`
  })
}
