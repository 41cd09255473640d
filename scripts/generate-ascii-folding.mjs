/**
 * Writes src/engine/analysis/token-filters/ascii-folding.generated.ts: the replacements of `asciifolding` by character.
 *
 *   node scripts/generate-ascii-folding.mjs http://127.0.0.1:9200
 *
 * The argument is a running Elasticsearch 8 (or a relative with its common analysis components). The script analyses
 * every character of the basic plane with it.
 */
import { writeFileSync } from 'node:fs'

const server = process.argv[2]
const INDEX = 'ascii-folding-probe'

async function call(method, path, body) {
  const answer = await fetch(server + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answer.json()
}

const sources = new Map()
await call('PUT', `/${INDEX}`, { settings: { number_of_replicas: 0, 'analyze.max_token_count': 100_000 } })
try {
  const chars = []
  for (let c = 0x80; c <= 0xffff; c++) if (c < 0xd800 || c > 0xdfff) chars.push(String.fromCharCode(c))
  const { tokens } = await call('POST', `/${INDEX}/_analyze`, {
    tokenizer: { type: 'char_group', tokenize_on_chars: ['\\n'] },
    filter: ['asciifolding'],
    text: chars.join('\n'),
  })
  for (const { token, start_offset: start } of tokens) {
    const char = chars[start / 2]
    if (token !== char) sources.set(token, (sources.get(token) ?? '') + char)
  }
} finally {
  await call('DELETE', `/${INDEX}`)
}

const entries = [...sources].sort(([a], [b]) => (a < b ? -1 : 1)).map((entry) => `  ${JSON.stringify(entry)},`)
writeFileSync(
  new URL('../src/engine/analysis/token-filters/ascii-folding.generated.ts', import.meta.url),
  `// Written by scripts/generate-ascii-folding.mjs. Do not edit.

/** A replacement and all characters it stands for. */
export const ASCII_FOLDINGS: readonly (readonly [string, string])[] = [
${entries.join('\n')}
]
`,
)
console.log(`${sources.size} replacements`)
