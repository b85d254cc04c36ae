/** The meaning of words for the tempo. */
export type TempoWords =
  | { readonly kind: 'tempo'; readonly quartersPerMinute: number }
  /** Back to the tempo before the last ritardando or accelerando. */
  | { readonly kind: 'a tempo' }
  /** Back to the first tempo. */
  | { readonly kind: 'tempo primo' }
  /** A new tempo, as a factor of the tempo before. */
  | { readonly kind: 'relative'; readonly factor: number }
  /** Bit by bit to that many times the tempo. */
  | { readonly kind: 'gradual'; readonly factor: number }
  /** An immediate change by that factor, until "a tempo". */
  | { readonly kind: 'held'; readonly factor: number }

/** A longer text explains the performance, for example in a footnote, and does not set the tempo. */
const LONGEST = 60

const aTempo =
  /\b(?:a|im|in) ?tempo\b|\bau mouv|\bmouv[.t]|\btempo giusto|(?:^|\b(?:im|alte[sn]|vorige[sn]|fr[uü]here[sn]|gleiche[sn]|wieder) )zeitma[sß]/
const tempoPrimo =
  /\btempo (?:i|1)\b|\btempo prim|\btempo 1(?!\d)|\b(?:1er|premier) mouv|\berste[sn]? (?:tempo|zeitma)|\bwie (?:zu anfang|am anfang|zuerst)/

/** "Tempo 140". */
const numbered = /\btempo[ :=]+(\d{2,3})\b/
const twiceAsFast = /\bdoppio movimento|\bdouble[- ]time\b(?! feel)/

const faster =
  /\bpi[uù] (?:mosso|allegro|vivo|vivace|presto|animato|agitato|moto|stretto)|\bplus (?:vite|anim|vif|rapide)|\bun poco (?:pi[uù] )?mosso|\b(?:faster|quicker)\b|\b(?:schneller|bewegter|lebhafter|rascher|geschwinder|flie(?:ss|ß)ender)\b/
const slower =
  /\bmeno (?:mosso|allegro|vivo|presto|vivace)|\bpi[uù] (?:lento|largo|adagio|tranquillo|sostenuto|moderato|tardo)|\bplus (?:lent|large|calme)|\bmoins (?:vite|anim|vif)|\bslower\b|\b(?:langsamer|ruhiger|breiter|gehaltener)\b/

const gradualSlower =
  /\brit(?:\.|\b|ard|ardando)|\brall|\ballarg|\bslarg|\bslentand|\bcalando|\bsmorz|\bmorendo|\bperdendo|\bc[eé]d(?:er|ez|ant)|\b(?:en )?retenant|\bralentir|\bzur[uü]ckhalt|\blangsamer werd|\bverbreiter|\bslow(?:ing)? down|\bverlangsam/
const gradualFaster =
  /\baccel|\bstring\.(?! (?:only|quartet|orch|sect|bass|players|soli?\b|tutti|tacet))|\bstringend|\baffrett|\banimando|\bpress(?:ez|ant)|\b(?:en )?animant|\bbeschleunig|\beilend|\bdr[aä]ngend|\bschneller werd|\bspeeding up/
/** With these, a word for another tempo is a change on the way there: "immer langsamer". */
const bitByBit =
  /\bpoco a poco\b|\bpeu [àa] peu\b|\bnach und nach\b|\bimmer\b|\bsempre (?:pi[uù]|meno) |\bde (?:plus|moins) en\b|\bgradual|\bby degrees\b/
const GRADUAL = 0.25
const suddenSlower = /\briten|\bretenu/

/**
 * Tempo marks with a usual number for each, in quarter notes per minute. Marks of several words come first.
 */
const tempos: readonly (readonly [RegExp, number])[] = [
  [/\bprestissimo|\bsehr (?:schnell|rasch|lebhaft)|\btr[eè]s vite/, 176],
  [/\ballegro (?:vivace|assai|molto|con (?:brio|fuoco|spirito))|\bvivacissimo|\btr[eè]s (?:vif|anim)/, 144],
  [/\ballegro (?:moderato|ma non|non (?:troppo|tanto|molto)|maestoso|giusto|comodo)/, 112],
  [/\bandante con moto|\bandantino|\bpoco andante/, 84],
  [/\bsehr langsam|\btr[eè]s lent|\bmolto (?:lento|adagio)|\badagissimo|\bvery slow/, 46],
  [/\bpresto\b/, 168],
  [/\bvivace\b|\bvivo\b|\bvif\b|\blebhaft|\blively|\bmunter|\bfrisch/, 138],
  [/\ballegretto/, 108],
  [
    /\ballegro\b|\bschnell|\brasch|\bgeschwind|\bquick|\bfast\b(?! [a-zäöü])|\bfast (?:and|but|as|in|with|not|tempo|waltz|swing|rock|funk|blues|march|latin|samba|jazz|shuffle|polka|reel|jig)\b|\bvite\b|\bfeurig/,
    128,
  ],
  [/\blarghetto|\badagietto/, 64],
  [/\bmoderato|\bmod[eé]r[eé]|\bm[aä](?:ss|ß)ig|\bmoderately/, 100],
  [/\bandante|\bgehend|\ballant\b/, 76],
  [/\bmaestoso|\bfeierlich|\bmajestueux/, 80],
  [/\badagio|\blento\b|\blent\b|\blangsam|\bslow|\bgetragen/, 60],
  [/\blargo\b|\bgrave\b/, 48],
  [/\banimato|\banim[eé]|\bagitato|\bcon moto\b|\bbewegt|\bunruhig|\bleidenschaftlich/, 112],
  [/\btranquillo|\bruhig|\bcalme\b/, 72],
]

/** "Not", "without" and "no", up to the end of the clause. */
const negated =
  /(?<![\p{L}\p{N}])(?:non|senza|senz['’]|ohne|nicht|nie|keine?[nr]?|ne|pas|sans|not|never|without|don['’]t|no|sin)(?<=['’]|(?= (?!\d)))(?:(?!\. (?!(?:und|e|et|and|o|oder|ou|or|y|ni) )|,|;|:|[()!–—]| - | (?:ma|mais|aber|doch|sondern|but|pero|sino) ).)*\.?/gu
const tooMuch = /\b(?:zu|allzu|sehr|troppo|tanto|molto|too|very|muy|tan|demasiado)\b|\btr(?:op\b|[eè]s )/

/** Tempo marks that are denied, such as "nicht schnell", "nicht zu schnell", in quarter notes per minute. */
const denied = { fast: { plain: 84, tooMuch: 112 }, slow: { plain: 92, tooMuch: 72 } } as const
const FAST = 108
const SLOW = 80

const technique = 'vib|gliss|trem|trill|bend|bow|arp|strum|release|fall|shake|roll|rotor|leslie|strich'
/** The speed of a technique: "slow vibrato", "arpeggio rapide". */
const ofTechnique = new RegExp(
  `\\b(?:slow|fast|quick|rapid|langsam|schnell|rasch)\\S* (?:${technique})\\S*|\\b(?:vib|gliss|trem|trill|arp)\\S* (?:lent|vite|presto|rapid|slow|fast|langsam|schnell)\\S*`,
  'g',
)

/**
 * Reads Italian, German, French and English words, and negations in Spanish too. They only set the tempo if there is no
 * number. The numbers here are usual ones. Undefined for words about something else, and for a change that is denied:
 * "senza rit.".
 */
export function tempoWordsOf(text: string): TempoWords | undefined {
  if (text.length > LONGEST || text.startsWith('*')) return undefined
  const words = text.toLowerCase().replace(/\s+/g, ' ').replace(ofTechnique, ' ')
  const denials: { clause: string; meaning: TempoWords }[] = []
  const stated = words.replace(negated, (clause) => {
    const meaning = meaningOf(clause)
    if (meaning === undefined) return clause
    denials.push({ clause, meaning })
    return ' '
  })
  return meaningOf(stated) ?? denialOf(denials)
}

function denialOf(denials: readonly { clause: string; meaning: TempoWords }[]): TempoWords | undefined {
  for (const { clause, meaning } of denials) {
    if (meaning.kind !== 'tempo') continue
    const { quartersPerMinute: tempo } = meaning
    const of = tempo >= FAST ? denied.fast : tempo <= SLOW ? denied.slow : undefined
    if (of === undefined) continue
    return { kind: 'tempo', quartersPerMinute: tooMuch.test(clause) ? of.tooMuch : of.plain }
  }
  return undefined
}

function meaningOf(words: string): TempoWords | undefined {
  if (tempoPrimo.test(words)) return { kind: 'tempo primo' }
  const [, number] = numbered.exec(words) ?? []
  if (number !== undefined) return { kind: 'tempo', quartersPerMinute: Number(number) }
  if (aTempo.test(words)) return { kind: 'a tempo' }
  if (twiceAsFast.test(words)) return { kind: 'relative', factor: 2 }
  if (suddenSlower.test(words)) return { kind: 'held', factor: 1 - degreeOf(words) }
  if (gradualSlower.test(words)) return { kind: 'gradual', factor: 1 - degreeOf(words) }
  if (gradualFaster.test(words)) return { kind: 'gradual', factor: 1 + degreeOf(words) }
  if (bitByBit.test(words) && slower.test(words)) return { kind: 'gradual', factor: 1 - GRADUAL }
  if (bitByBit.test(words) && faster.test(words)) return { kind: 'gradual', factor: 1 + GRADUAL }
  if (slower.test(words)) return { kind: 'relative', factor: 0.85 }
  if (faster.test(words)) return { kind: 'relative', factor: 1.18 }
  for (const [pattern, quartersPerMinute] of tempos) {
    if (pattern.test(words)) return { kind: 'tempo', quartersPerMinute }
  }
  return undefined
}

/** The factor of a gradual change. */
function degreeOf(words: string): number {
  if (bitByBit.test(words)) return GRADUAL
  if (/\bpoco\b|\bun peu\b|\betwas\b|\bein wenig\b/.test(words)) return 0.12
  return /\bmolto\b|\bassai\b|\bbeaucoup\b|\bsehr\b/.test(words) ? 0.4 : GRADUAL
}
