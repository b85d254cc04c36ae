/**
 * The elements that MusicXML 4.0 allows more than once in some parent. The JSON form always writes them as
 * arrays, even if there is only one, so that a consumer need not check. Source: musicxml.xsd 4.0, every
 * particle that repeats by itself or through the group, sequence or choice around it. The table is part of
 * the JSON form: a change of it changes what consumers read.
 */
export const alwaysArrays: ReadonlySet<string> = new Set(
  [
    // Score and header
    'part measure credit creator rights relation encoding-date encoder software encoding-description supports',
    'miscellaneous-field page-margins staff-layout line-width note-size distance glyph other-appearance lyric-font',
    'lyric-language credit-type credit-words credit-symbol link bookmark',
    // Part list
    'part-group score-part part-link instrument-link group-link group score-instrument player midi-device midi-instrument',
    'display-text accidental-text',
    // Measure
    'note backup forward direction attributes harmony figured-bass print sound listening barline grouping feature',
    // Attributes
    'key key-step key-alter key-accidental key-octave time beats beat-type clef staff-details staff-tuning line-detail',
    'transpose for-part directive measure-style slash-dot except-voice',
    // Note
    'tie instrument dot beam notations lyric syllabic text elision normal-dot tuplet-dot',
    'assess wait other-listen sync other-listening ipa mute semi-pitched other-play play',
    // Notations
    'tied slur tuplet glissando slide ornaments technical articulations dynamics fermata arpeggiate non-arpeggiate',
    'accidental-mark other-notation',
    'trill-mark turn delayed-turn inverted-turn delayed-inverted-turn vertical-turn inverted-vertical-turn shake',
    'wavy-line mordent inverted-mordent schleifer tremolo haydn other-ornament',
    'up-bow down-bow harmonic open-string thumb-position fingering pluck double-tongue triple-tongue stopped',
    'snap-pizzicato fret string hammer-on pull-off bend tap heel toe fingernails hole arrow handbell brass-bend flip',
    'smear open half-muted harmon-mute golpe other-technical',
    'accent strong-accent staccato tenuto detached-legato staccatissimo spiccato scoop plop doit falloff breath-mark',
    'caesura stress unstress soft-accent other-articulation',
    'p pp ppp pppp ppppp pppppp f ff fff ffff fffff ffffff mp mf sf sfp sfpp fp rf rfz sfz sffz fz n pf sfzp',
    'other-dynamics',
    // Direction
    'direction-type rehearsal segno coda words symbol percussion pedal-tuning accord',
    'beat-unit beat-unit-dot beat-unit-tied metronome-note metronome-dot metronome-beam instrument-change',
    // Harmony and figured bass
    'root numeral function kind inversion bass degree frame-note figure',
  ].flatMap((names) => names.split(' ')),
)
