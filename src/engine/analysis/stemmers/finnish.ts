/** Finnish: Savoy's light stemmer. */
import { translate } from './suffixes.ts'

const withoutDots = translate('äåö', 'aao')

export function finnishLightStem(term: string): string {
  if (term.length < 4) return term
  return secondForm(firstForm(withoutCase(withoutAdverb(withoutParticle(withoutDots(term))))))
}

function withoutParticle(word: string): string {
  if (word.length > 8) {
    if (word.endsWith('kin')) return withoutParticle(word.slice(0, -3))
    if (word.endsWith('ko')) return withoutParticle(word.slice(0, -2))
  }
  if (word.length > 11) {
    if (word.endsWith('dellinen')) return word.slice(0, -8)
    if (word.endsWith('dellisuus')) return word.slice(0, -9)
  }
  return word
}

function withoutAdverb(word: string): string {
  if (word.length <= 5) return word
  if (/(?:lla|tse|sti)$/.test(word)) return word.slice(0, -3)
  if (word.endsWith('ni')) return word.slice(0, -2)
  return word.endsWith('aa') ? word.slice(0, -1) : word
}

function withoutCase(word: string): string {
  const { length } = word
  if (length > 8) {
    if (word.endsWith('nnen')) return `${word.slice(0, -4)}s`
    if (word.endsWith('ntena')) return `${word.slice(0, -5)}s`
    if (word.endsWith('tten')) return word.slice(0, -4)
    if (word.endsWith('eiden')) return word.slice(0, -5)
  }
  if (length > 6) {
    if (/(?:neen|niin|seen|teen|inen)$/.test(word)) return word.slice(0, -4)
    if (/h[aeiouy]n$/.test(word)) return word.slice(0, -3)
    if (word.endsWith('den')) return `${word.slice(0, -3)}s`
    if (word.endsWith('ksen')) return `${word.slice(0, -4)}s`
    if (/(?:ssa|sta|lla|lta|tta|ksi|lle)$/.test(word)) return word.slice(0, -3)
  }
  if (length > 5) {
    if (/n[ae]$/.test(word)) return word.slice(0, -2)
    if (word.endsWith('nei')) return word.slice(0, -3)
  }
  if (length > 4) {
    if (/[jt]a$/.test(word)) return word.slice(0, -2)
    if (word.endsWith('a')) return word.slice(0, -1)
    if (/[aeiouy]n$/.test(word)) return word.slice(0, -2)
    if (word.endsWith('n')) return word.slice(0, -1)
  }
  return word
}

function firstForm(term: string): string {
  const word = term.length > 5 && term.endsWith('hde') ? `${term.slice(0, -3)}ksi` : term
  if (word.length > 4 && /(?:ei|at)$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && /[tsjeai]$/.test(word) ? word.slice(0, -1) : word
}

function secondForm(term: string): string {
  let word = term
  if (word.length > 8 && /[eou]$/.test(word)) word = word.slice(0, -1)
  if (word.length > 4) {
    if (word.endsWith('i')) word = word.slice(0, -1)
    if (word.length > 4) word = word.replace(/([kpt])\1+/g, '$1')
  }
  return word
}
