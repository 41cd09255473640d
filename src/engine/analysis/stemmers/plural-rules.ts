/**
 * Portuguese and Galician plurals, by the first step of the RSLP stemmer (Orengo and Huyck): the first matching ending
 * with a long enough word before it is replaced.
 */

interface PluralRule {
  readonly ending: string
  /** Minimum letters before the ending. */
  readonly before: number
  readonly singular: string
  readonly except: ReadonlySet<string>
}

const MIN_LENGTH = 3

const rule = (ending: string, before: number, singular: string, except = ''): PluralRule => ({
  ending,
  before,
  singular,
  except: new Set(except.split(' ')),
})

const PORTUGUESE: readonly PluralRule[] = [
  rule('ns', 1, 'm'),
  rule('ões', 3, 'ão'),
  rule('ães', 1, 'ão', 'mães'),
  rule('ais', 1, 'al', 'cais mais'),
  rule('éis', 2, 'el'),
  rule('eis', 2, 'el'),
  rule('óis', 2, 'ol'),
  rule('is', 2, 'il', 'lápis cais mais crúcis biquínis pois depois dois leis'),
  rule('les', 3, 'l'),
  rule('res', 3, 'r', 'árvores'),
  rule(
    's',
    2,
    '',
    'aliás pires lápis cais mais mas menos férias fezes pêsames crúcis gás atrás moisés através convés ês país após ambas ' +
      'ambos messias depois',
  ),
]

const GALICIAN: readonly PluralRule[] = [
  rule('ns', 1, 'n', 'luns furatapóns furatapons'),
  rule('ós', 3, 'ón'),
  rule('ões', 3, 'ón'),
  rule('ães', 1, 'ão', 'mães magalhães'),
  rule('ais', 2, 'al', 'cais tais mais pais ademais'),
  rule('áis', 2, 'al', 'cáis táis máis páis ademáis'),
  rule('éis', 2, 'el'),
  rule('eis', 2, 'el'),
  rule('óis', 2, 'ol', 'escornabóis'),
  rule('ois', 2, 'ol', 'escornabois'),
  rule('ís', 2, 'il', 'país'),
  rule('is', 2, 'il', 'menfis pais kinguis'),
  rule('les', 2, 'l', 'ingles marselles montreales senegales manizales móstoles nápoles'),
  rule('res', 3, 'r', 'petres henares cáceres baleares linares londres mieres miraflores mércores venres pires'),
  rule('ces', 2, 'z'),
  rule('zes', 2, 'z'),
  rule('ises', 3, 'z'),
  rule('ás', 1, 'al', 'más'),
  rule('ses', 2, 's'),
  rule(
    's',
    2,
    '',
    'barbadés barcelonés cantonés gabonés llanés medinés escocés escocês francês barcelonês cantonês macramés reves ' +
      'barcelones cantones gabones llanes magallanes medines escoces frances xoves martes aliás pires lápis cais mais mas ' +
      'menos férias pêsames crúcis país cangas atenas asturias canarias filipinas honduras molucas caldas mascareñas micenas ' +
      'covarrubias psoas óculos nupcias',
  ),
]

function singularOf(word: string, rules: readonly PluralRule[]): string {
  if (word.length < MIN_LENGTH || !word.endsWith('s')) return word
  const found = rules.find(
    ({ ending, before, except }) => word.endsWith(ending) && word.length - ending.length >= before && !except.has(word),
  )
  return found === undefined ? word : word.slice(0, -found.ending.length) + found.singular
}

export const portugueseMinimalStem = (word: string) => singularOf(word, PORTUGUESE)
export const galicianMinimalStem = (word: string) => singularOf(word, GALICIAN)
