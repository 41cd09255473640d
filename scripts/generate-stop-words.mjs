/**
 * Writes src/engine/analysis/stop-words/stop-words.generated.ts from the published stop word lists.
 *
 *   node scripts/generate-stop-words.mjs FOLDER
 *
 * FOLDER holds the lists as Lucene's `lucene-analysis-common` ships them (`org/apache/lucene/analysis/…`): those of the
 * Snowball project, with `|` before comments, and others, with `#`. Only the words are taken over.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LISTS = {
  arabic: 'ar',
  armenian: 'hy',
  basque: 'eu',
  bengali: 'bn',
  brazilian: 'br',
  bulgarian: 'bg',
  catalan: 'ca',
  cjk: 'cjk',
  czech: 'cz',
  danish: 'snowball/danish_stop.txt',
  dutch: 'snowball/dutch_stop.txt',
  estonian: 'et',
  finnish: 'snowball/finnish_stop.txt',
  french: 'snowball/french_stop.txt',
  galician: 'gl',
  german: 'snowball/german_stop.txt',
  greek: 'el',
  hindi: 'hi',
  hungarian: 'snowball/hungarian_stop.txt',
  indonesian: 'id',
  irish: 'ga',
  italian: 'snowball/italian_stop.txt',
  latvian: 'lv',
  lithuanian: 'lt',
  norwegian: 'snowball/norwegian_stop.txt',
  persian: 'fa',
  portuguese: 'snowball/portuguese_stop.txt',
  romanian: 'ro',
  russian: 'snowball/russian_stop.txt',
  serbian: 'sr',
  sorani: 'ckb',
  spanish: 'snowball/spanish_stop.txt',
  swedish: 'snowball/swedish_stop.txt',
  thai: 'th',
  turkish: 'tr',
}

const folder = process.argv[2]
const entries = Object.entries(LISTS).map(([language, file]) => {
  const path = join(folder, file.endsWith('.txt') ? file : `${file}/stopwords.txt`)
  const words = readFileSync(path, 'utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line) =>
      file.endsWith('.txt') ? line.replace(/\|.*/, '').split(/\s+/) : [line.replace(/#.*/, '').trim()],
    )
    .filter((word) => word !== '')
  return `  ${language}:\n    '${[...new Set(words)].join('|').replaceAll("'", "\\'")}',`
})

writeFileSync(
  new URL('../src/engine/analysis/stop-words/stop-words.generated.ts', import.meta.url),
  `// Written by scripts/generate-stop-words.mjs. Do not edit.

/** Stop words by language, separated by bars. The words are those the Snowball project and Apache Lucene published. */
export const STOP_WORDS: Readonly<Record<string, string>> = {
${entries.join('\n')}
}
`,
)
