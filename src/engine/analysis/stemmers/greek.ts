/**
 * Greek: Ntais's stemmer, for lower-case words without accents and final sigmas.
 *
 * Twenty short rules each remove one ending, and some restore part of it for certain words. Only a word that none of
 * them changed goes through the long list of endings. Comparatives come last.
 */
import { cutSuffix, endsWithAny, suffixGroups } from './suffixes.ts'

const list = (text: string): string[] => text.trim().split(/\s+/)

const isVowel = (char: string | undefined) => char !== undefined && 'αεηιουω'.includes(char)
const isVowelButY = (char: string | undefined) => char !== undefined && 'αεηιοω'.includes(char)

interface Rule {
  /** Endings, removed only from longer words; the first match counts. */
  cut: readonly string[]
  /** Restored if the rest is one of `words`, ends like one of `tails`, or ends in a vowel. */
  back?: string
  words?: ReadonlySet<string>
  tails?: readonly string[]
  vowel?: (char: string | undefined) => boolean
  /** Exceptions for which nothing is restored. */
  unless?: (rest: string) => boolean
}

const rule = (
  cut: string,
  back = '',
  words = '',
  tails = '',
  vowel?: Rule['vowel'],
  unless?: Rule['unless'],
): Rule => ({
  cut: list(cut),
  back,
  words: new Set(list(words)),
  tails: tails === '' ? [] : list(tails),
  ...(vowel === undefined ? {} : { vowel }),
  ...(unless === undefined ? {} : { unless }),
})

function apply(word: string, { cut, back, words, tails, vowel, unless }: Rule): string {
  const suffix = cut.find((ending) => word.length > ending.length && word.endsWith(ending))
  if (suffix === undefined) return word
  const rest = word.slice(0, -suffix.length)
  const keeps = words?.has(rest) || endsWithAny(rest, tails ?? []) || vowel?.(rest.at(-1)) === true
  return keeps && unless?.(rest) !== true ? rest + (back ?? '') : rest
}

/** Irregular nouns: the number of letters to remove from which endings. */
const IRREGULAR: readonly (readonly [number, readonly string[]])[] = [
  [4, list('καθεστωτοσ καθεστωτων γεγονοτοσ γεγονοτων')],
  [3, list('καθεστωτα')],
  [4, list('τατογιου τατογιων')],
  [3, list('γεγονοτα')],
  [2, list('καθεστωσ')],
  [4, list('σκαγιου σκαγιων ολογιου ολογιων κρεατοσ κρεατων περατοσ περατων τερατοσ τερατων')],
  [3, list('τατογια')],
  [2, list('γεγονοσ')],
  [4, list('φαγιου φαγιων σογιου σογιων')],
  [3, list('σκαγια ολογια κρεατα περατα τερατα φαγια σογια φωτοσ φωτων')],
  [2, list('κρεασ περασ τερασ φωτα')],
  [1, list('φωσ')],
]

const NOUNS = [
  // Diminutives and plurals in -δεσ, which most words keep.
  rule('εδεσ εδων', 'εδ', '', 'οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ'),
  rule('ουδεσ ουδων', 'ουδ', '', 'αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε'),
  rule('εωσ εων', 'ε', 'θ δ ελ γαλ ν π ιδ παρ'),
  rule('ια ιου ιων', 'ι', '', '', isVowel),
  rule(
    'ικα ικο ικου ικων',
    'ικ',
    `αλ αδ ενδ αμαν αμμοχαλ ηθ ανηθ αντιδ φυσ βρωμ γερ εξωδ καλπ καλλιν καταδ μουλ μπαν μπαγιατ μπολ μποσ νιτ ξικ συνομηλ πετσ
     πιτσ πικαντ πλιατσ ποστελν πρωτοδ σερτ συναδ τσαμ υποδ φιλον φυλοδ χασ`,
    '',
    isVowel,
  ),
]
const KEPT_WITHOUT_D = list('οκ μαμ μαν μπαμπ πατερ γιαγι νταντ κυρ θει πεθερ')

const FIRST_PLURAL = rule('αμε', 'αμ', 'αναπ αποθ αποκ αποστ βουβ ξεθ ουλ πεθ πικρ ποτ σιχ χ')
const THIRD_PLURAL = rule(
  'ανε',
  'αν',
  `βετερ βουλκ βραχμ γ δραδουμ θ καλπουζ καστελ κορμορ λαοπλ μωαμεθ μ μουσουλμ ν ουλ π πελεκ πλ πολισ πορτολ σαρακατσ σουλτ
   τσαρλατ ορφ τσιγγ τσοπ φωτοστεφ χ ψυχοπλ αγ γαλ γερ δεκ διπλ αμερικαν ουρ πιθ πουριτ σ ζωντ ικ καστ κοπ λιχ λουθηρ μαιντ μελ
   σιγ σπ στεγ τραγ τσαγ φ ερ αδαπ αθιγγ αμηχ ανικ ανοργ απηγ απιθ ατσιγγ βασ βασκ βαθυγαλ βιομηχ βραχυκ διατ διαφ ενοργ θυσ
   καπνοβιομηχ καταγαλ κλιβ κοιλαρφ λιβ μεγλοβιομηχ μικροβιομηχ νταβ ξηροκλιβ ολιγοδαμ ολογαλ πενταρφ περηφ περιτρ πλατ πολυδαπ
   πολυμηχ στεφ ταβ τετ υπερηφ υποκοπ χαμηλοδαπ ψηλοταβ`,
  '',
  isVowelButY,
)
const LONG_THIRD_PLURALS = list('ιουντανε ιοντανε ουντανε ηθηκανε ιοτανε οντανε ουσανε αγανε ησανε οτανε ηκανε')
const SECOND_PLURAL = rule(
  'ετε',
  'ετ',
  'αβαρ βεν εναρ αβρ αδ αθ αν απλ βαρον ντρ σκ κοπ μπορ νιφ παγ παρακαλ σερπ σκελ συρφ τοκ υ δ εμ θαρρ θ',
  `οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ ευθ εκθ νετ ρον αρκ βαρ βολ
   ωφελ`,
  isVowelButY,
)

const VERBS = [
  rule('ιεστε', 'ιεστ', 'π απ συμπ ασυμπ ακαταπ αμεταμφ'),
  rule('εστε', 'εστ', 'αλ αρ εκτελ ζ μ ξ παρακαλ προ νισ'),
  rule('ηθηκεσ ηθηκα ηθηκε'),
  rule('ηκεσ ηκα ηκε', 'ηκ', 'διαθ θ παρακαταθ προσθ συνθ', 'σκωλ σκουλ ναρθ σφ οθ πιθ'),
  rule(
    'ουσεσ ουσα ουσε',
    'ουσ',
    `φαρμακ χαδ αγκ αναρρ βρομ εκλιπ λαμπιδ λεχ μ πατ ρ λ μεδ μεσαζ υποτειν αμ αιθ ανηκ δεσποζ ενδιαφερ δε δευτερευ καθαρευ
     πλε τσα`,
    'ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ',
    isVowel,
  ),
  rule(
    'αγεσ αγα αγε',
    'αγ',
    `αβαστ πολυφ αδηφ παμφ ρ ασπ αφ αμαλ αμαλλι ανυστ απερ ασπαρ αχαρ δερβεν δροσοπ ξεφ νεοπ νομοτ ολοπ ομοτ προστ προσωποπ συμπ
     συντ τ υποτ χαρ αειπ αιμοστ ανυπ αποτ αρτιπ διατ εν επιτ κροκαλοπ σιδηροπ λ ναυ ουλαμ ουρ π τρ μ`,
    'οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην',
    undefined,
    (rest) => rest === 'ψοφ' || rest === 'ναυλοχ' || rest.endsWith('κολλ'),
  ),
  rule('ησου ησε ησα', 'ησ', 'ν χερσον δωδεκαν ερημον μεγαλον επταν'),
  rule('ηστε', 'ηστ', 'ασβ σβ αχρ χρ απλ αειμν δυσχρ ευχρ κοινοχρ παλιμψ'),
  rule('ησουνε ηθουνε ουνε', 'ουν', 'ν ρ σπι στραβομουτσ κακομουτσ εξων'),
  rule('ησουμε ηθουμε ουμε', 'ουμ', 'παρασουσ φ χ ωριοπλ αζ αλλοσουσ ασουσ'),
]

const LONG_LIST = suffixGroups(
  [10, 'ιοντουσαν'],
  [9, 'ιομασταν ιοσασταν ιουμαστε οντουσαν'],
  [8, 'ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν ηθηκατε ομασταν οσασταν ουμαστε'],
  [7, 'ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν ουσατε'],
  [6, 'αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ουμαι ουσαν'],
  [5, 'αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν'],
  [4, 'αει εισ ηθω ησω ουν ουσ'],
  [3, 'αν ασ αω ει εσ ησ οι οσ ου υσ ων'],
  [2, 'α ε η ι ο υ ω'],
)
const COMPARATIVES = suffixGroups([0, 'εστερ εστατ οτερ οτατ υτερ υτατ ωτερ ωτατ'])

export function greekStem(term: string): string {
  if (term.length < 4) return term
  let word = irregularNoun(term)
  if (word.length > 4 && /αδ(?:εσ|ων)$/.test(word)) {
    const rest = word.slice(0, -4)
    word = endsWithAny(rest, KEPT_WITHOUT_D) ? rest : `${rest}αδ`
  }
  for (const noun of NOUNS) word = apply(word, noun)
  word = thirdPlural(firstPlural(word))
  if (word.length > 5 && word.endsWith('ησετε')) word = word.slice(0, -5)
  word = ourselves(participle(apply(word, SECOND_PLURAL)))
  for (const verb of VERBS) word = apply(word, verb)
  if (word.length > 5 && /ματ(?:ων|οσ)$/.test(word)) word = word.slice(0, -3)
  else if (word.length > 4 && word.endsWith('ματα')) word = word.slice(0, -2)
  if (word.length === term.length) word = cutSuffix(word, LONG_LIST)
  return cutSuffix(word, COMPARATIVES)
}

function irregularNoun(word: string): string {
  for (const [count, endings] of IRREGULAR) if (endsWithAny(word, endings)) return word.slice(0, -count)
  return word
}

function firstPlural(term: string): string {
  if (term === 'αγαμε') return 'αγαμ'
  const suffix = ['ηθηκαμε', 'ουσαμε', 'αγαμε', 'ησαμε', 'ηκαμε'].find(
    (ending) => term.length > ending.length && term.endsWith(ending),
  )
  return apply(suffix === undefined ? term : term.slice(0, -suffix.length), FIRST_PLURAL)
}

function thirdPlural(term: string): string {
  let word = term
  // Four of them need a stem before them; the others may be the whole word.
  const suffix = LONG_THIRD_PLURALS.find(
    (ending) => term.endsWith(ending) && (term !== ending || !/^(?:ι|αγ)/.test(ending)),
  )
  if (suffix !== undefined) {
    word = term.slice(0, -suffix.length)
    if (word === 'τρ' || word === 'τσ') word += 'αγαν'
  }
  return apply(word, THIRD_PLURAL)
}

function participle(word: string): string {
  if (word.length <= 5 || !/[οω]ντασ$/.test(word)) return word
  const rest = word.slice(0, -5)
  if (rest === 'αρχ') return `${rest}οντ`
  return rest.endsWith('κρε') ? `${rest}ωντ` : rest
}

function ourselves(word: string): string {
  if (word.length > 6 && word.endsWith('ομαστε')) {
    const rest = word.slice(0, -6)
    return rest === 'ον' ? `${rest}ομαστ` : rest
  }
  return word
}
