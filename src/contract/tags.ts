/** The groups of operations in the OpenAPI document. */
export const tags = {
  Account: 'The account of the caller.',
  Score: 'Scores, their revisions and exports.',
  Collection: 'Lists of scores: folders, books, playlists.',
  Task: 'Work that takes longer than a request.',
  User: 'Profiles of users.',
  Organization: 'A school and its members.',
  Class: 'Classes, their members and their states.',
  EduResources:
    'Libraries of assignments: of the caller, of the organization, and the one that comes with Partita.',
  Group: 'Groups of the students or teachers of a class.',
} as const

export type Tag = keyof typeof tags
