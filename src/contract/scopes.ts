/** All OAuth2 scopes with the texts that the consent page shows to the user. */
export const scopes = {
  'account.public_profile': 'See your public profile',
  'account.email': 'See your e-mail address',
  'account.education_profile': 'See your education profile',
  'scores.readonly': 'See your scores',
  'scores.social': 'Comment on scores and like them',
  scores: 'See, create, change and delete your scores',
  'collections.readonly': 'See your collections',
  'collections.add_scores': 'Add scores to your collections',
  collections: 'See, create, change and delete your collections',
  'notifications.readonly': 'See your notifications',
  'edu.resources': 'See and change your resource libraries',
  'edu.resources.readonly': 'See your resource libraries',
  'edu.classes': 'See and change your classes',
  'edu.classes.readonly': 'See your classes',
  'edu.assignments': 'See and change your assignments and submissions',
  'edu.assignments.readonly': 'See your assignments and submissions',
  'edu.admin': 'Administer your organization',
  'edu.admin.readonly': 'See your organization',
  'edu.admin.lti': 'Change the LTI connections of your organization',
  'edu.admin.lti.readonly': 'See the LTI connections of your organization',
  'edu.admin.users': 'Administer the people of your organization',
  'edu.admin.users.readonly': 'See the people of your organization',
  'tasks.readonly': 'See the state of exports and imports',
  omr: 'Turn pictures and PDF files into scores',
} as const

export type Scope = keyof typeof scopes

export const allScopes = Object.keys(scopes) as Scope[]

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text)
}
