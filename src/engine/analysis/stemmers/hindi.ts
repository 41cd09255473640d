/** Hindi: the lightweight stemmer of Ramanathan and Rao, which removes the longest of a list of endings. */
import { cutSuffix, suffixGroups } from './suffixes.ts'

const ENDINGS = suffixGroups(
  [7, 'ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां'],
  [6, 'ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां'],
  [5, 'ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं'],
  [4, 'कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें'],
  [3, 'ो े ू ु ी ि ा'],
)

export function hindiStem(word: string): string {
  return cutSuffix(word, ENDINGS)
}
