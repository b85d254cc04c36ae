import type { en } from './en.ts'

export const de: Record<keyof typeof en, string> = {
  'link.title': 'Bei Partita anmelden',
  'link.once': 'Dieser Link meldet Sie an, ein einziges Mal.',
  'link.signIn': 'Anmelden',
  'link.used': 'Dieser Link ist verbraucht',
  'link.usedWhy':
    'Er hat schon jemanden angemeldet oder wurde nicht rechtzeitig benutzt. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
  'link.none': 'Diesen Link gibt es nicht',
  'link.noneWhy': 'Vielleicht fehlt ein Teil der Adresse: Öffnen Sie den Link so, wie Sie ihn bekommen haben.',
  'foreign.title': 'Nicht von hier',
  'foreign.why':
    'Das kam von der Seite einer anderen Website. Es ist nichts geschehen. Öffnen Sie die Seite selbst und versuchen Sie es dort.',

  'score.title': 'Noten auf Partita',
  'score.what':
    'Diese Adresse nennt Noten, die auf diesem Server liegen. Öffnen Sie sie mit einem Programm, das die v2-Schnittstelle spricht.',
  'score.docs': 'Die Dokumentation der Schnittstelle',
  'invitation.title': 'Eine Einladung zu Partita',
  'invitation.what':
    'Diese Adresse lädt in eine Schule auf diesem Server ein. Ihr letzter Teil ist ein Code: Behalten Sie ihn für sich und geben Sie ihn dort ein, wo ein Programm danach fragt.',
}
