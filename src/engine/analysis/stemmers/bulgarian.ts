/** Bulgarian: Savoy's light stemmer for article, plural and gender. */

export function bulgarianStem(term: string): string {
  if (term.length < 4) return term
  if (term.length > 5 && term.endsWith('ища')) return term.slice(0, -3)
  let word = singular(withoutArticle(term))
  if (word.length > 3) {
    if (word.endsWith('я')) word = word.slice(0, -1)
    if (/[аое]$/.test(word)) word = word.slice(0, -1)
  }
  if (word.length > 4 && word.endsWith('ен')) word = `${word.slice(0, -2)}н`
  if (word.length > 5 && word.at(-2) === 'ъ') word = word.slice(0, -2) + word.at(-1)
  return word
}

function withoutArticle(word: string): string {
  if (word.length > 6 && word.endsWith('ият')) return word.slice(0, -3)
  if (word.length > 5 && /(?:ът|то|те|та|ия)$/.test(word)) return word.slice(0, -2)
  return word.length > 4 && word.endsWith('ят') ? word.slice(0, -2) : word
}

function singular(word: string): string {
  const { length } = word
  if (length > 6) {
    if (/(?:овци|ове)$/.test(word)) return word.slice(0, -3)
    if (word.endsWith('еве')) return `${word.slice(0, -3)}й`
  }
  if (length > 5) {
    if (word.endsWith('ища')) return word.slice(0, -3)
    if (word.endsWith('та')) return word.slice(0, -2)
    if (word.endsWith('ци')) return `${word.slice(0, -2)}к`
    if (word.endsWith('зи')) return `${word.slice(0, -2)}г`
    if (word.at(-3) === 'е' && word.endsWith('и')) return `${word.slice(0, -3)}я${word.at(-2)}`
  }
  if (length > 4) {
    if (word.endsWith('си')) return `${word.slice(0, -2)}х`
    if (word.endsWith('и')) return word.slice(0, -1)
  }
  return word
}
