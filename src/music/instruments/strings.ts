import { alto, bass, type Instrument, treble } from './instrument.ts'

export const strings: readonly Instrument[] = [
  {
    group: 'strings',
    id: 'violin',
    names: { en: ['Violin', 'Vln.'], fr: ['Violon', 'Vln.'], de: ['Violine', 'Vl.'], es: ['Violín', 'Vln.'] },
    aliases: ['Fiddle', 'Geige', 'Violino', 'Violini', 'Violinen', 'Violines', 'Vn.', 'Viol.'],
    clefs: [treble],
    sound: 'strings.violin',
    otherSounds: ['strings'],
    program: 40,
  },
  {
    group: 'strings',
    id: 'viola',
    names: { en: ['Viola', 'Vla.'], fr: ['Alto', 'Alt.'], de: ['Bratsche', 'Br.'], es: ['Viola', 'Vla.'] },
    aliases: ['Viole', 'Violen', 'Bratschen', 'Va.'],
    clefs: [alto],
    sound: 'strings.viola',
    program: 41,
  },
  {
    group: 'strings',
    id: 'cello',
    names: {
      en: ['Cello', 'Vc.'],
      fr: ['Violoncelle', 'Vlc.'],
      de: ['Violoncello', 'Vc.'],
      es: ['Violonchelo', 'Vc.'],
    },
    aliases: ['Celli', 'Violoncelli', 'Violoncelo', 'Chelo', 'Vcl.'],
    clefs: [bass],
    sound: 'strings.cello',
    program: 42,
  },
  {
    group: 'strings',
    id: 'contrabass',
    names: {
      en: ['Double Bass', 'D. B.'],
      fr: ['Contrebasse', 'Cb.'],
      de: ['Kontrabass', 'Kb.'],
      es: ['Contrabajo', 'Cb.'],
    },
    aliases: ['Contrabass', 'Contrabasso', 'Contrabbasso', 'Upright Bass', 'String Bass', 'Acoustic Bass', 'Bass'],
    clefs: [bass],
    transposition: { chromatic: 0, diatonic: 0, octaveChange: -1 },
    sound: 'strings.contrabass',
    program: 43,
  },
]
