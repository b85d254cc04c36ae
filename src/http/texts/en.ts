import { type Scope, scopes } from '../../contract/scopes.ts'

type ScopeTexts = { readonly [Name in Scope as `scope.${Name}`]: string }
const scopeTexts = Object.fromEntries(
  Object.entries(scopes).map(([name, text]) => [`scope.${name}`, text]),
) as ScopeTexts

/** What pages say, in English. A translation has each of these. */
export const en = {
  'link.title': 'Sign in to Partita',
  'link.once': 'This link signs you in, once.',
  'link.signIn': 'Sign in',
  'link.used': 'This link is used up',
  'link.usedWhy': 'It has signed somebody in already, or was not used in time. Ask who gave it to you for a new one.',
  'link.none': 'There is no such link',
  'link.noneWhy': 'Part of the address may be missing: open the link as it was given to you.',
  'foreign.title': 'Not from here',
  'foreign.why': 'This was sent by the page of another site. Nothing was done. Open the page itself, and do it there.',

  'score.title': 'A score on Partita',
  'score.what':
    'This address names a score that is kept on this server. Open it with an app that speaks the v2 interface.',
  'score.docs': 'Its documentation',
  'invitation.title': 'An invitation to Partita',
  'invitation.what':
    'This address invites to a school on this server. Its last part is a code: keep it to yourself, and enter it where an app asks for it.',

  'error.title': 'Something went wrong',
  'error.busy': 'The server has too much to do at the moment. Try again in a few seconds.',
  'error.ours': 'Nothing was done. It is in the log of the server under {{id}}.',
  'error.notUnderstood': 'The form could not be read. Go back and try again.',
  'signIn.title': 'Sign in',
  'signIn.toApp': 'Sign in to go on to {{app}}.',
  'signIn.name': 'Username or e-mail address',
  'signIn.password': 'Password',
  'signIn.do': 'Sign in',
  'signIn.wrong': 'Username or password is wrong.',
  'signIn.tooMany': 'That was wrong too often. Try again in {{minutes}} minutes.',
  'signOut.do': 'Sign out',
  'nav.label': 'Your account',
  'nav.signedInAs': 'Signed in as {{user}}',
  'consent.title': '{{app}} asks for access',
  'consent.what': 'If you allow it, {{app}} can do this for you, as {{user}}:',
  'consent.offline': 'It can go on doing so until you end it, also while you are not there.',
  'consent.online': 'It can do so for a day.',
  'consent.unknown': 'Partita does not know who made this app. Allow it only if you trust it.',
  'consent.goesTo': 'You will be sent on to {{address}}.',
  'consent.allow': 'Allow',
  'consent.deny': 'Do not allow',
  'consent.other': 'Not you? Sign out and sign in as somebody else.',
  'consent.refused': 'This app asks in a wrong way',
  'consent.refusedWhy': 'So you were not sent on to it. Tell its makers: {{reason}}.',

  ...scopeTexts,
}
