/** Hungarian: Savoy's light stemmer for case, possessive and plural. */
import { translate } from './suffixes.ts'

const withoutAccents = translate('áëéíóőõöúűũûü', 'aeeioooouuuuu')

export function hungarianLightStem(term: string): string {
  const word = singular(withoutPossessive(withoutCase(withoutAccents(term))))
  return word.length > 3 && /[aeio]$/.test(word) ? word.slice(0, -1) : word
}

function withoutCase(word: string): string {
  const { length } = word
  if (length > 6 && word.endsWith('kent')) return word.slice(0, -4)
  if (length > 5) {
    if (/(?:nak|nek|val|vel|ert|rol|ban|ben|bol|nal|nel|hoz|hez|tol)$/.test(word)) return word.slice(0, -3)
    if (/([^aeiouy])\1[ae]l$/.test(word)) return word.slice(0, -3)
  }
  if (length > 4) {
    if (/(?:[aeo]t|[vrb][ae]|ul|ig)$/.test(word)) return word.slice(0, -2)
    if (/[^aeiouy][oe]n$/.test(word)) return word.slice(0, -2)
    if (/[tn]$/.test(word)) return word.slice(0, -1)
    if (/([^aeiouy])\1[ae]$/.test(word)) return word.slice(0, -2)
  }
  return word
}

function withoutPossessive(word: string): string {
  const { length } = word
  if (length > 6) {
    if (/[^aeiouy](?:atok|otok|etek)$/.test(word)) return word.slice(0, -4)
    if (/(?:itek|itok)$/.test(word)) return word.slice(0, -4)
  }
  if (length > 5) {
    if (/[^aeiouy](?:unk|tok|tek)$/.test(word)) return word.slice(0, -3)
    if (/[aeiouy]juk$/.test(word)) return word.slice(0, -3)
    if (word.endsWith('ink')) return word.slice(0, -3)
  }
  if (length > 4) {
    if (/[^aeiouy](?:[aeo][md]|uk)$/.test(word)) return word.slice(0, -2)
    if (/[aeiouy](?:nk|j[ae])$/.test(word)) return word.slice(0, -2)
    if (/i[mdk]$/.test(word)) return word.slice(0, -2)
  }
  if (length > 3 && /(?:[^aeiouy][ae]|[aeiouy][md]|i)$/.test(word)) return word.slice(0, -1)
  return word
}

function singular(word: string): string {
  if (word.length <= 3 || !word.endsWith('k')) return word
  return word.length > 4 && /[aoe]k$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
