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
}
