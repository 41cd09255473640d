/** Arabic: removes attached articles, conjunctions and prepositions, and common endings. */

const PREFIXES = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و']
const SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي']

export function arabicStem(term: string): string {
  let word = term
  for (const prefix of PREFIXES) {
    const needed = prefix.length === 1 ? 4 : prefix.length + 2
    if (word.length >= needed && word.startsWith(prefix)) {
      word = word.slice(prefix.length)
      break
    }
  }
  // Endings may follow each other, so each is tried once.
  for (const suffix of SUFFIXES) {
    if (word.length >= suffix.length + 2 && word.endsWith(suffix)) word = word.slice(0, -suffix.length)
  }
  return word
}
