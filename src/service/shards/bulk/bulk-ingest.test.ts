import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWithin } from '../../../text/regex/time-guard.ts'
import type { IngestRequest, IngestResult } from '../../ingest/run/definitions.ts'
import type { IngestRunner } from '../../ingest/run/ingest-runner.ts'
import type { BulkRequest, HostCallbacks } from '../shard-host.ts'
import { BulkOutcome } from './bulk-answer.ts'
import { BulkIngest } from './bulk-ingest.ts'
import { readBulk } from './bulk-reader.ts'

const REQUEST: Omit<BulkRequest, 'body'> = {
  defaultIndex: 'idx',
  defaultRouting: undefined,
  defaultPipeline: 'p',
  requireAlias: false,
  requireDataStream: false,
  refresh: 'false',
  sourceFilter: undefined,
  startedAtMs: 0,
}

/** The sources after pipelines that `run` stands for, under a time limit that `watch` stands for. */
async function ingest(
  ids: readonly string[],
  run: (request: IngestRequest) => IngestResult | Promise<IngestResult>,
  watch: (work: () => void) => boolean,
): Promise<string[]> {
  const body = Buffer.from(ids.map((id) => `{"index":{"_id":"${id}"}}\n{"before":"${id}"}\n`).join(''))
  const items = await readBulk({ ...REQUEST, body })
  const around = {
    ingest: { isUsed: false, watch, run } as unknown as IngestRunner,
    callbacks: { ingestRoutes: async (names: readonly string[]) => names.map(() => ({})) } as unknown as HostCallbacks,
    fail: (item: number, error: unknown) => assert.fail(`item ${item}: ${(error as Error).message}`),
  }
  const bytes = await new BulkIngest({ ...REQUEST, body }, body, items, new BulkOutcome(items.count), around).run()
  return ids.map((_, item) => Buffer.from(bytes.subarray(items.sourceStart[item]!, items.sourceEnd[item]!)).toString())
}

const result = ({ index, id }: IngestRequest): IngestResult => ({
  index,
  id,
  routing: undefined,
  version: -3,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  dynamicTemplates: undefined,
  source: `{"after":"${id}"}`,
  executed: ['p'],
})

const IDS = ['a', 'b', 'c', 'd']
const AFTER = IDS.map((id) => `{"after":"${id}"}`)

test('every document has the result of its pipeline when the time limit interrupts any of them', async () => {
  for (const interrupted of IDS) {
    let isFirst = true
    // On a busy machine the time may be over before the document's turn. It then runs again without a limit.
    let isLimited = false
    const run = (request: IngestRequest) => {
      if (request.id === interrupted && isFirst && isLimited) {
        isFirst = false
        for (;;);
      }
      return result(request)
    }
    const watch = (work: () => void): boolean => {
      isLimited = true
      const isFinished = runWithin(20, work)
      isLimited = false
      return isFinished
    }
    assert.deepEqual(await ingest(IDS, run, watch), AFTER, interrupted)
  }
})

test('every document has the result of its pipeline when the time limit expires after one that waits', async () => {
  for (const waiting of IDS) {
    const run = (request: IngestRequest) =>
      request.id === waiting
        ? new Promise<IngestResult>((resolve) => setTimeout(() => resolve(result(request)), 20))
        : result(request)
    const watch = (work: () => void): boolean => {
      work()
      return false
    }
    assert.deepEqual(await ingest(IDS, run, watch), AFTER, waiting)
  }
})
