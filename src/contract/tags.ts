/** The groups of operations in the OpenAPI document. */
export const tags = {
  Account: 'The account behind a token.',
  Score: 'Scores, their revisions and what they can be exported to.',
  Collection: 'Where scores are kept: a folder, a book, a playlist.',
  Task: 'Work that takes longer than a request.',
  User: 'People.',
  Organization: 'A school, and who is in it.',
  Class: 'Classes, their people and their states.',
  EduResources:
    'Libraries of assignments: one’s own, an organization’s, and the one that comes with Partita.',
  Group: 'The people of a class, and parts of them.',
} as const

export type Tag = keyof typeof tags
