/**
 * Goal: a data folder of every earlier release opens and answers as it did then. `scripts/record-data-folder.mjs` adds the
 * folder of a release. The recorded node was killed, so opening it replays its log, too. If a release answered differently
 * from Elasticsearch and a later one does not, the recorded answer is corrected; the files never change.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { startSearch } from '../../src/testing/index.ts'
import { READS, send } from './steps.ts'

const HERE = dirname(fileURLToPath(import.meta.url))

interface Recorded {
  readonly files: Readonly<Record<string, string>>
  readonly answers: readonly { readonly status: number; readonly body: unknown }[]
}

for (const name of readdirSync(HERE).filter((name) => name.endsWith('.json.gz'))) {
  test(`the data folder of ${name.slice(0, -'.json.gz'.length)} opens and answers as it did`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-upgrade-'))
    try {
      const { files, answers } = JSON.parse(gunzipSync(readFileSync(join(HERE, name))).toString()) as Recorded
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), Buffer.from(content, 'base64'))
      }
      const search = await startSearch({ dataFolder: folder })
      try {
        for (const [i, read] of READS.entries()) {
          assert.deepEqual(await send(search.url, read), answers[i], `${read[0]} ${read[1]}`)
        }
      } finally {
        await search.stop()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
