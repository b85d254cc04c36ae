import type { en } from './en.ts'

export const fr: Record<keyof typeof en, string> = {
  'link.title': 'Connexion à Partita',
  'link.once': 'Ce lien vous connecte, une seule fois.',
  'link.signIn': 'Se connecter',
  'link.used': 'Ce lien a déjà servi',
  'link.usedWhy':
    'Il a déjà connecté quelqu’un, ou n’a pas été utilisé à temps. Demandez-en un nouveau à la personne qui vous l’a donné.',
  'link.none': 'Ce lien n’existe pas',
  'link.noneWhy': 'Il manque peut-être une partie de l’adresse : ouvrez le lien tel que vous l’avez reçu.',
  'foreign.title': 'Cela ne vient pas d’ici',
  'foreign.why':
    'L’envoi venait de la page d’un autre site. Rien n’a été fait. Ouvrez la page elle-même et recommencez.',

  'score.title': 'Une partition sur Partita',
  'score.what':
    'Cette adresse désigne une partition conservée sur ce serveur. Ouvrez-la avec une application qui parle l’interface v2.',
  'score.docs': 'La documentation de l’interface',
  'invitation.title': 'Une invitation à Partita',
  'invitation.what':
    'Cette adresse invite dans une école de ce serveur. Sa dernière partie est un code : gardez-le pour vous et saisissez-le là où une application le demande.',
}
