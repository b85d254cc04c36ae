import type { en } from './en.ts'

export const es: Record<keyof typeof en, string> = {
  'link.title': 'Iniciar sesión en Partita',
  'link.once': 'Este enlace inicia su sesión, una sola vez.',
  'link.signIn': 'Iniciar sesión',
  'link.used': 'Este enlace ya no sirve',
  'link.usedWhy': 'Ya inició la sesión de alguien, o no se usó a tiempo. Pida uno nuevo a quien se lo dio.',
  'link.none': 'Este enlace no existe',
  'link.noneWhy': 'Quizá falta una parte de la dirección: abra el enlace tal como lo recibió.',
  'foreign.title': 'No viene de aquí',
  'foreign.why': 'Lo envió la página de otro sitio. No se ha hecho nada. Abra la página misma y hágalo allí.',

  'score.title': 'Una partitura en Partita',
  'score.what':
    'Esta dirección nombra una partitura guardada en este servidor. Ábrala con una aplicación que hable la interfaz v2.',
  'score.docs': 'La documentación de la interfaz',
  'invitation.title': 'Una invitación a Partita',
  'invitation.what':
    'Esta dirección invita a una escuela de este servidor. Su última parte es un código: no lo comparta, e introdúzcalo donde una aplicación lo pida.',
}
