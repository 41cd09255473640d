/** Indonesian: Tala's stemmer. Affixes exclude each other, and a word keeps at least two syllables. */

type Affix = 'ke' | 'peng' | 'di' | 'meng' | 'ter' | 'ber' | 'pe'

const isVowel = (char: string | undefined) => char !== undefined && 'aeiou'.includes(char)

class IndonesianWord {
  text: string
  #syllables: number
  readonly #removed = new Set<Affix>()

  constructor(text: string) {
    this.text = text
    this.#syllables = [...text].filter(isVowel).length
  }

  get canLose(): boolean {
    return this.#syllables > 2
  }

  set(text: string, affix?: Affix): true {
    this.text = text
    this.#syllables--
    if (affix !== undefined) this.#removed.add(affix)
    return true
  }

  lost(...affixes: Affix[]): boolean {
    return affixes.some((affix) => this.#removed.has(affix))
  }
}

/** `light` removes particles and possessives only. */
export function indonesianStem(term: string, light = false): string {
  const word = new IndonesianWord(term)
  if (word.canLose && /(?:kah|lah|pun)$/.test(word.text)) word.set(word.text.slice(0, -3))
  if (word.canLose) {
    if (/[km]u$/.test(word.text)) word.set(word.text.slice(0, -2))
    else if (word.text.endsWith('nya')) word.set(word.text.slice(0, -3))
  }
  if (light) return word.text
  if (word.canLose && firstPrefix(word)) {
    if (word.canLose && suffix(word) && word.canLose) secondPrefix(word)
  } else {
    if (word.canLose) secondPrefix(word)
    if (word.canLose) suffix(word)
  }
  return word.text
}

/** Some prefixes absorb the first letter of the word; it is restored. */
function firstPrefix(word: IndonesianWord): boolean {
  const { text } = word
  if (text.startsWith('meng')) return word.set(text.slice(4), 'meng')
  if (text.startsWith('meny') && isVowel(text[4])) return word.set(`s${text.slice(4)}`, 'meng')
  if (/^me[nm]/.test(text)) return word.set(text.slice(3), 'meng')
  if (text.startsWith('me')) return word.set(text.slice(2), 'meng')
  if (text.startsWith('peng')) return word.set(text.slice(4), 'peng')
  if (text.startsWith('peny')) return word.set((isVowel(text[4]) ? 's' : '') + text.slice(4), 'peng')
  if (text.startsWith('pen')) return word.set((isVowel(text[3]) ? 't' : '') + text.slice(3), 'peng')
  if (text.startsWith('pem')) return word.set(text.slice(3), 'peng')
  if (text.startsWith('di')) return word.set(text.slice(2), 'di')
  if (text.startsWith('ter')) return word.set(text.slice(3), 'ter')
  return text.startsWith('ke') && word.set(text.slice(2), 'ke')
}

function secondPrefix(word: IndonesianWord): boolean {
  const { text } = word
  if (text.startsWith('ber') || text === 'belajar') return word.set(text.slice(3), 'ber')
  if (/^be[^aeiou]er/.test(text)) return word.set(text.slice(2), 'ber')
  if (text.startsWith('per') || text === 'pelajar') return word.set(text.slice(3))
  return text.startsWith('pe') && word.set(text.slice(2), 'pe')
}

function suffix(word: IndonesianWord): boolean {
  const { text } = word
  if (text.endsWith('kan') && !word.lost('ke', 'peng', 'pe')) return word.set(text.slice(0, -3))
  if (text.endsWith('an') && !word.lost('di', 'meng', 'ter')) return word.set(text.slice(0, -2))
  return /(?<!s)i$/.test(text) && !word.lost('ber', 'ke', 'peng') && word.set(text.slice(0, -1))
}
