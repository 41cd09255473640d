/**
 * Lithuanian, after Snowball: one inflection, then any number of derivational suffixes, all after the first syllable.
 */

const list = (text: string) => new Set(text.trim().split(/\s+/))

const INFLECTIONS = list(`
  as ias is ys o io ui iui ą ią į u iu e yje y au i an ai iai ų ių ams am iams iam us ius ais iais uose iuose uos iuos uosna iuosna
  ysna asis aisi osi ųsi uisi ąsi usi esi uo a ia os ios oj oje ioje osna iosna om oms ioms omis iomis ose iose on ion ė ės ei ę ėj
  ėje ėms es ėmis ėse ėsna ėn aus iaus umi iumi uje iuje iau ūs ums umis un iun ies ens enio eniui enį imi eniu enyje ie enie enys
  ims enims enis imis enimis yse enyse iem iems ame iame uosi iuosi iesi asi iasi amės iamės at ate iat iate atės iatės isi im imės
  it ite ome ot ote ėjo ėjosi otės eisi ėsi ėm ėme ėmės ėt ėte ėtės ausi omės siu siuosi si siesi s ysis sim sime sit site čiau
  čiausi tum tumei tumeis tumeisi tųsi tumėm tumėme tumėmės tute tumėt tumėte tumėtės k ki kimės uoti iuoti auti iauti oti ioti ėti
  yti inti inėti enti telėti terėti ti ąs iąs įs tųs simės sitės kite ers eriai erį erimi eria eryje erie erys erims eryse erų`)

const SUFFIXES = list(`
  ing išk ėt ot uot iuot yt iuk iul ėl yl učiuk uliuk utėait ok iok sv šv zgan op iop ain ykšt ykšč esn aus iaus ias oj ioj aj iaj ąj
  iąj uoj iuoj iej ųj iųj ies uos iuos ais iais os ios ąs iąs dav ant iant int ėj ę ėję ęs siant dam auj jam iau am`)

/** Endings that look like the inflection of another word. */
const CONFLICTS: readonly (readonly [string, string])[] = [
  ['aitės', 'aitė'],
  ['aite', 'aitė'],
  ['uotės', 'uotė'],
  ['uote', 'uotė'],
  ['ėjime', 'ėjimas'],
  ['esiu', 'esys'],
  ['asius', 'asys'],
  ['avime', 'avimas'],
  ['ojime', 'ojimas'],
  ['okatės', 'okatė'],
  ['okate', 'okatė'],
]

export function lithuanianStem(term: string): string {
  const from = region(term)
  let word = term
  const conflict = CONFLICTS.find(([ending]) => word.endsWith(ending))
  if (conflict !== undefined) word = word.slice(0, -conflict[0].length) + conflict[1]
  word = hardened(cutLongest(word, from, INFLECTIONS))
  for (;;) {
    const shorter = cutLongest(word, from, SUFFIXES)
    if (shorter === word) break
    word = shorter
  }
  word = hardened(word)
  return word.endsWith('gd') ? word.slice(0, -1) : word
}

/** The part after the first vowel and the consonant after it; a prefix `a` of a long word is not counted. */
function region(word: string): number {
  const match = /^[^aeiyouąęįųėū]*[aeiyouąęįųėū]+[^aeiyouąęįųėū]/.exec(
    word.length > 6 && word.startsWith('a') ? word.slice(1) : word,
  )
  if (match === null) return word.length
  return match[0].length + (word.length > 6 && word.startsWith('a') ? 1 : 0)
}

function cutLongest(word: string, from: number, suffixes: ReadonlySet<string>): string {
  for (let at = Math.max(from, word.length - 7); at < word.length; at++) {
    if (suffixes.has(word.slice(at))) return word.slice(0, at)
  }
  return word
}

const hardened = (word: string) =>
  word.endsWith('č') ? `${word.slice(0, -1)}t` : word.endsWith('dž') ? word.slice(0, -1) : word
