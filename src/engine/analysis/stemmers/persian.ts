/** Persian: common endings, each tried once, because one may follow another. */

const SUFFIXES = ['ات', 'ان', 'ترين', 'تر', 'يي', 'ي', 'ها', '\u200c']

export function persianStem(term: string): string {
  let word = term
  for (const suffix of SUFFIXES) {
    if (word.length >= suffix.length + 2 && word.endsWith(suffix)) word = word.slice(0, -suffix.length)
  }
  return word
}
