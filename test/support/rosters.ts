import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** Creates a folder for the rosters of some tests, and removes it after them. */
export function rosterFolder() {
  let folder = ''
  let count = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partita-roster-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return {
    /** Writes these lines to a file that is called people.csv. Returns its path. */
    async file(...lines: string[]): Promise<string> {
      return this.bytes(lines.join('\r\n'), 'people.csv')
    },
    async bytes(contents: string | Uint8Array, name: string): Promise<string> {
      const path = join(await this.folder({}), name)
      await writeFile(path, contents)
      return path
    },
    /** Writes a folder of files: name → lines. */
    async folder(files: Readonly<Record<string, readonly string[]>>): Promise<string> {
      const path = join(folder, String(++count))
      await mkdir(path)
      for (const [name, lines] of Object.entries(files)) await writeFile(join(path, name), lines.join('\n'))
      return path
    },
  }
}

/** Chooses a table with these lines on the page of the roster import. */
export async function chooseRoster(page: Page, ...lines: string[]): Promise<void> {
  const buffer = Buffer.from(lines.join('\r\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
}

/**
 * A school in OneRoster 1.2: Tess and Theo teach Sam and Sol in one class, Pat is a parent, Dan is disabled.
 */
export const oneRoster = {
  'manifest.csv': [
    'propertyName,value',
    'manifest.version,1.0',
    'oneroster.version,1.2',
    'file.orgs,bulk',
    'file.users,bulk',
    'file.roles,bulk',
    'file.classes,bulk',
    'file.enrollments,bulk',
    'file.results,absent',
  ],
  'orgs.csv': [
    'sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId',
    'o1,,,School,school,,',
  ],
  'users.csv': [
    'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email',
    'u1,,,true,or.tess,,Tess,Teacher,,,tess@school.example',
    'u2,,,true,or.theo,,Theo,Teacher,,,',
    'u3,,,true,or.sam,,Sam,Student,,,',
    'u4,,,true,or.sol,,"Sol, y","Student ""S""",,,',
    'u5,,,true,or.pat,,Pat,Parent,,,',
    'u6,,,false,or.dan,,Dan,Disabled,,,',
  ],
  'roles.csv': [
    'sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId',
    'r1,,,u1,primary,teacher,,,o1,',
    'r2,,,u2,secondary,student,,,o1,',
    'r3,,,u2,primary,aide,,,o1,',
    'r4,,,u3,primary,student,,,o1,',
    'r5,,,u4,primary,student,,,o1,',
    'r6,,,u5,primary,guardian,,,o1,',
    'r7,,,u6,primary,student,,,o1,',
    'r8,,,u3,secondary,teacher,,2020-06-30,o1,',
  ],
  'classes.csv': [
    'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId',
    'c1,,,Winds,,x,,scheduled,,o1',
  ],
  'enrollments.csv': [
    'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
    'e1,,,c1,o1,u2,teacher,false,,',
    'e2,,,c1,o1,u1,teacher,true,,',
    'e3,,,c1,o1,u3,student,,,',
    'e4,,,c1,o1,u4,student,,,2020-06-30',
    'e5,,,c1,o1,u6,student,,,',
  ],
} as const
