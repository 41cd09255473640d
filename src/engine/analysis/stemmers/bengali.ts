/** Bengali: removes endings of verbs and nouns, longest first. */
import { cutSuffix, suffixGroups } from './suffixes.ts'

// Editors may split yya into two characters, but words reach the stemmer with the single one.
const yya = (endings: string) => endings.replaceAll('\u09af\u09bc', '\u09df')

const ENDINGS = suffixGroups(
  [10, yya('িয়াছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন িয়াছিলেন ইয়াছিলেন')],
  [9, yya('িতেছিলি িতেছিলে িয়াছিলা িয়াছিলে িতেছিলা িয়াছিলি য়েদেরকে')],
  [8, yya('িতেছিস িতেছেন িয়াছিস িয়াছেন েছিলাম েছিলেন েদেরকে')],
  [7, yya('িতেছি িতেছা িতেছে ছিলাম ছিলেন িয়াছি িয়াছা িয়াছে েছিলে েছিলা য়েদের দেরকে')],
  [6, yya('িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা খানি গুলো গুলি য়েরা েদের')],
  [5, yya('লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি বেন িবে ইবে ছেন য়োন য়ের েরা দের')],
  [4, 'িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের রা কে'],
  [3, 'ি ী া ো ে ব ত'],
)

export function bengaliStem(word: string): string {
  return cutSuffix(word, ENDINGS)
}
