/**
 * `indic_normalization` and `bengali_normalization`.
 *
 * Indic scripts can spell a letter as one character or as several that look the same. The nine blocks have the same
 * order of letters, so each composition is given once, as offsets in the block, with the scripts it applies to.
 */

const SCRIPTS = ['D', 'B', 'P', 'G', 'O', 'T', 'E', 'K', 'M'] as const
const FIRST_BLOCK = 0x900
const BLOCK_SIZE = 0x80

/**
 * `parts=whole scripts`: offsets in hexadecimal, z for the zero-width joiner. Scripts: D(evanagari) B(engali) P(unjabi)
 * G(ujarati) O(riya) T(amil) tElugu K(annada) M(alayalam).
 */
const COMPOSITIONS = `
  05+3e+45=11 DG, 05+3e+46=12 D, 05+3e+47=13 DG, 05+3e+48=14 DG, 05+3e=06 DBPGO, 05+45=72 D, 05+45=0d G, 05+46=04 D,
  05+47=0f G, 05+48=10 PG, 05+49=11 DG, 05+4a=12 D, 05+4b=13 DG, 05+4c=14 DPG, 06+45=11 DG, 06+46=12 D, 06+47=13 DG,
  06+48=14 DG, 07+57=08 M, 09+41=0a D, 09+57=0a TM, 0e+46=10 M, 0f+45=0d D, 0f+46=0e D, 0f+47=10 D, 0f+57=10 O,
  12+3e=13 M, 12+4c=14 EK, 12+55=13 E, 12+57=14 TM, 13+57=14 O, 15+3c=58 D, 16+3c=59 DP, 17+3c=5a DP, 1c+3c=5b DP,
  21+3c=5c DBO, 22+3c=5d DBO, 23+4d+z=7a M, 24+4d+z=4e B, 28+3c=29 D, 28+4d+z=7b M, 2b+3c=5e DP, 2f+3c=5f DB,
  2c+41+41=0b E, 30+3c=31 D, 30+4d+z=7c M, 32+4d+z=7d M, 33+3c=34 D, 33+4d+z=7e M, 35+41=2e E, 3e+45=49 DG, 3e+46=4a D,
  3e+47=4b DG, 3e+48=4c DG, 3f+55=40 K, 41+41=42 P, 46+3e=4a TM, 46+42+55=4b K, 46+42=4a K, 46+46=48 M, 46+55=47 EK,
  46+56=48 EK, 46+57=4c TM, 47+3e=4b BOTM, 47+57=4c BO, 4a+55=4b K, 72+3f=07 P, 72+40=08 P, 72+47=0f P, 73+41=09 P,
  73+42=0a P, 73+4b=13 P`

/** Decomposed form to composed form; longer forms first, because a shorter one may be their prefix. */
const compositions: readonly (readonly [string, string])[] = COMPOSITIONS.trim()
  .split(/,\s*/)
  .flatMap((entry): [string, string][] => {
    const [, parts, whole, scripts] = /^(\S+)=(\S+) (\w+)$/.exec(entry)!
    return [...scripts!].map((script) => {
      const base = FIRST_BLOCK + SCRIPTS.indexOf(script as (typeof SCRIPTS)[number]) * BLOCK_SIZE
      const char = (code: string) => (code === 'z' ? '\u200d' : String.fromCharCode(base + Number.parseInt(code, 16)))
      return [parts!.split('+').map(char).join(''), char(whole!)]
    })
  })
  .sort(([a], [b]) => b.length - a.length)

export function normalizeIndic(term: string): string {
  if (!/[\u0900-\u0d7f]/.test(term)) return term
  let out = ''
  for (let i = 0; i < term.length; ) {
    const found = compositions.find(([parts]) => term.startsWith(parts, i))
    out += found?.[1] ?? term[i]
    i += found?.[0].length ?? 1
  }
  return out
}

const HASANTA = '\u09cd'

/** Unifies Bengali letters with the same sound and removes silent ones. */
export function normalizeBengali(term: string): string {
  const s = [...term]
  for (let i = 0; i < s.length; i++) {
    switch (s[i]) {
      case '\u0981':
        s.splice(i--, 1)
        break
      case '\u09c0':
        s[i] = '\u09bf'
        break
      case '\u09c2':
        s[i] = '\u09c1'
        break
      case '\u0995':
        if (s[i + 1] === HASANTA && s[i + 2] === '\u09bf') {
          if (i === 0) s.splice(0, 3, '\u0996')
          else s.splice(i + 1, 2, '\u0996')
        }
        break
      case '\u0999':
        s[i] = '\u0982'
        break
      case '\u09af':
        if (s[i - 1] !== HASANTA) break
        if (i === 2) {
          s[1] = '\u09c7'
          s.splice(2, s[3] === '\u09be' ? 2 : 1)
          i--
        } else {
          s.splice(i - 1, 2)
          i -= 2
        }
        break
      case '\u09ac':
        if (s[i - 1] !== HASANTA) break
        if (i === 2 || (i >= 5 && s[i - 3] === HASANTA)) {
          s.splice(i - 1, 2)
          i -= 2
        } else if (i > 2) {
          s[i - 1] = s[i - 2]!
          s.splice(i--, 1)
        }
        break
      case '\u0983':
        if (i < s.length - 1) s[i] = s[i + 1]!
        else if (s.length <= 3) s[i] = '\u09b9'
        else s.splice(i, 1)
        break
      case '\u09b6':
      case '\u09b7':
        s[i] = '\u09b8'
        break
      case '\u09a3':
        s[i] = '\u09a8'
        break
      case '\u09dc':
      case '\u09dd':
        s[i] = '\u09b0'
        break
      case '\u09ce':
        s[i] = '\u09a4'
        break
    }
  }
  return s.join('')
}
