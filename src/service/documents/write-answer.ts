/** The body of a write: `{_index, _id, _version, result, forced_refresh?, _shards, _seq_no, _primary_term, get?}`. */
import { RawJson } from '../../base/json/json-writer.ts'
import type { WriteAnswer } from '../shards/shard-host.ts'
import type { DocumentAnswer } from './document-requests.ts'

const STATUS = { created: 201, updated: 200, deleted: 200, not_found: 404, noop: 200 } as const

export function writeAnswer(indexName: string, id: string, replicas: number, written: WriteAnswer): DocumentAnswer {
  const noop = written.result === 'noop'
  const { seqNo, primaryTerm } = written
  return {
    status: STATUS[written.result],
    body: {
      _index: indexName,
      _id: id,
      _version: written.version,
      result: written.result,
      forced_refresh: written.forcedRefresh && !noop ? true : undefined,
      _shards: noop ? { total: 0, successful: 0, failed: 0 } : { total: 1 + replicas, successful: 1, failed: 0 },
      // A script decided not to create the document of an upsert.
      ...(noop && written.version === NOT_THERE
        ? { get: { found: false } }
        : { _seq_no: seqNo, _primary_term: primaryTerm, get: printedGet(written) }),
    },
  }
}

const NOT_THERE = -1

function printedGet(written: WriteAnswer): DocumentAnswer['body'][string] {
  const { seqNo, primaryTerm } = written
  return written.source === undefined
    ? written.isSourceGone === true
      ? { _seq_no: seqNo, _primary_term: primaryTerm, found: true }
      : undefined
    : { _seq_no: seqNo, _primary_term: primaryTerm, found: true, _source: new RawJson(written.source) }
}
