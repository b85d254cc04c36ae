/**
 * What tells a General MIDI sound, in the standard sound ids of MusicXML (sounds.xml: `strings.violin`) and in names
 * of parts and instruments in English, German, French and Italian. The first that matches decides, so the narrower
 * ones come first: a contrabassoon is no bass.
 */
const programs: readonly (readonly [RegExp, number])[] = [
  [/harpsichord|cembalo|clavecin|clavicembalo/, 6],
  [/clavichord|clavinet/, 7],
  [/celesta/, 8],
  [/glockenspiel/, 9],
  [/vibraphone?/, 11],
  [/marimba/, 12],
  [/xylophone?|xilofono/, 13],
  [/tubular|chimes|röhrenglocken/, 14],
  [/dulcimer/, 15],
  [/harmonica/, 22],
  [/accordion|akkordeon|fisarmonica/, 21],
  [/harmonium|reed organ/, 20],
  [/organ|orgel|orgue|organo/, 19],
  [/electric piano|e-piano/, 4],
  [/piano|klavier|keyboard|pianoforte/, 0],
  [/bass guitar|electric bass|e-bass|pluck\.bass/, 33],
  [/electric guitar|guitar\.electric|e-gitarre/, 27],
  [/guitar|gitarre|guitare|chitarra|lute|laute/, 24],
  [/banjo/, 105],
  [/harp|harfe|arpa/, 46],
  [/contrabassoon|kontrafagott|contrefagott|controfagotto|bassoon|fagott|basson(?!e)/, 70],
  [/cor anglais|english horn|englisch ?horn|englischhorn/, 69],
  [/oboe|hautbois/, 68],
  [/clarinet|klarinette|clarinette|clarinetto/, 71],
  [/piccolo|flauto piccolo/, 72],
  [/recorder|blockflöte|flauto dolce/, 74],
  [/flute|flöte|flûte|flauto/, 73],
  [/soprano sax|saxophone\.soprano/, 64],
  [/tenor sax|saxophone\.tenor/, 66],
  [/baritone sax|saxophone\.baritone/, 67],
  [/sax/, 65],
  [/trombone|posaune/, 57],
  [/trumpet|trompete|trompette|tromba|cornet|flugelhorn/, 56],
  [/tuba|sousaphone|euphonium/, 58],
  [/horn\b|\bcor\b|corno/, 60],
  [/timpani|pauken|timbales|kettledrum/, 47],
  [/contrabass|double bass|kontrabass|contrebasse|contrabbasso/, 43],
  [/violoncello|cello|violoncelle/, 42],
  [/viola|bratsche|\balto$/, 41],
  [/violin|violon|geige/, 40],
  [/strings|streicher/, 48],
  [
    /choir|chorus|chor\b|chœur|coro|voice|vocals?\b|gesang|singstimme|chant|canto|soprano|sopran|mezzo|alto|tenor|baritone?|bariton/,
    52,
  ],
]

/** The program (0–127) of a sound id or a name; undefined when neither tells. */
export function programOfSound(name: string): number | undefined {
  return find(programs, name)
}

/** General MIDI percussion: the names of what is struck and the keys that they have. */
const drumKeys: readonly (readonly [RegExp, number])[] = [
  [/bass.?drum|grosse caisse|große trommel|gran cassa|kick/, 36],
  [/snare|kleine trommel|caisse claire|side drum/, 38],
  [/hi.?hat/, 42],
  [/ride/, 51],
  [/cymbal|becken|piatti|cymbales/, 49],
  [/tam.?tam|gong/, 52],
  [/triangle|triangel|triangolo/, 81],
  [/tambourine|tamburin|tamburo basco/, 54],
  [/cowbell/, 56],
  [/bongo/, 60],
  [/conga/, 63],
  [/timbale/, 65],
  [/maracas/, 70],
  [/claves/, 75],
  [/wood.?block|holzblock|temple.?block/, 76],
  [/castanet|kastagnetten/, 85],
  [/tom/, 47],
]

/** The key (0–127) on the percussion channel of a sound id or a name; undefined when neither tells. */
export function drumKeyOf(name: string): number | undefined {
  return find(drumKeys, name)
}

/** Where a drum set is usually written on five lines with a percussion clef, by `display-step` and octave. */
const drumSet: Record<string, number> = {
  D4: 44,
  E4: 35,
  F4: 36,
  G4: 41,
  A4: 43,
  B4: 45,
  C5: 38,
  D5: 47,
  E5: 50,
  F5: 51,
  G5: 42,
  A5: 49,
  B5: 57,
}

const SNARE = 38

/** The key of an unpitched note by its place on the staff, the snare when it has none. */
export function drumKeyAt(step: string | undefined, octave: number | undefined): number {
  return drumSet[`${step}${octave}`] ?? SNARE
}

function find(table: readonly (readonly [RegExp, number])[], name: string): number | undefined {
  const folded = name.toLowerCase()
  for (const [pattern, value] of table) if (pattern.test(folded)) return value
  return undefined
}
