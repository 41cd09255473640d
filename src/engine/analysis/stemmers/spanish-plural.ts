/** `spanish_plural`: the singular of Spanish words, by the rules of plural formation. */
import { translate } from './suffixes.ts'

const withoutAccents = translate('àáâäòóôöèéêëùúûüìíîï', 'aaaaooooeeeeuuuuiiii')

/** Words without a different singular: weekdays, compounds of a verb and a plural, words from Greek and Latin. */
const UNCHANGED = new Set(
  (
    'abrebotellas abrecartas abrelatas afueras albatros albricias aledaños alexis alicates analisis andurriales antitesis ' +
    'añicos apendicitis apocalipsis arcoiris aries bilis boletus boris brindis cactus canutas caries cascanueces ' +
    'cascarrabias ciempies cifosis corpus cortaplumas cosmos cosquillas creces crisis cuatrocientas cuatrocientos ' +
    'cuelgacapas cuentacuentos cuentapasos cumpleaños doscientas doscientos dosis enseres entonces esponsales estatus ' +
    'exequias fauces forceps fotosintesis gafas gafotas gargaras gris honorarios ictus jueves lapsus lavacoches lavaplatos ' +
    'limpiabotas lunes maitines martes mondadientes novecientas novecientos nupcias ochocientas ochocientos pais parabrisas ' +
    'paracaidas parachoques paraguas pararrayos paris pisapapeles piscis portaaviones portamaletas portamantas quinientas ' +
    'quinientos quitamanchas recogepelotas rictus rompeolas sacacorchos sacapuntas saltamontes salvavidas seis seiscientas ' +
    'seiscientos setecientas setecientos sintesis tenis tifus trabalenguas vacaciones venus versus viacrucis virus viveres ' +
    'volandas'
  ).split(' '),
)

/** Words that lose two letters, against the rules. */
const IRREGULAR = new Set(
  'yoes noes sies clubes faralaes albalaes itemes albumes sandwiches relojes bojes contrarreloj carcajes'.split(' '),
)

/** Endings in the order in which they are tried, with their replacements. */
const RULES: readonly (readonly [ending: RegExp, letters: number, singular: string])[] = [
  [/[^aeiou]s$/, 1, ''],
  [/(?:q..|gu[ie])s$/, 1, ''],
  [/[aeiou][rdlnx]es$/, 2, ''],
  [/[yu]es$/, 2, ''],
  [/[ulrtn]ies$/, 2, ''],
  [/ses$/, 2, ''],
  [/[aeiou]is$/, 2, 'y'],
  [/dis$/, 2, 'y'],
  [/ces$/, 3, 'z'],
  [/s$/, 1, ''],
]

export function spanishPluralStem(term: string): string {
  if (term.length < 4) return term
  const word = withoutAccents(term)
  if (UNCHANGED.has(word)) return word
  if (IRREGULAR.has(word)) return word.slice(0, -2)
  const rule = RULES.find(([ending]) => ending.test(word))
  return rule === undefined ? word : word.slice(0, -rule[1]) + rule[2]
}
