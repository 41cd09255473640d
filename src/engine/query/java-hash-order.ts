/** The order in which Java's HashMap lists strings: where terms score alike, it decides which of them are chosen. */
export function inHashOrder(words: readonly string[]): string[] {
  let capacity = 16
  while (words.length > capacity * 0.75) capacity *= 2
  const slot = (word: string) => {
    let hash = 0
    for (let i = 0; i < word.length; i++) hash = (Math.imul(31, hash) + word.charCodeAt(i)) | 0
    return (hash ^ (hash >>> 16)) & (capacity - 1)
  }
  return words
    .map((word, i) => ({ word, slot: slot(word), i }))
    .sort((a, b) => a.slot - b.slot || a.i - b.i)
    .map(({ word }) => word)
}
