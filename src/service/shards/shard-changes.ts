/** Prints operations of a shard's history as JSON, in the thread that owns the shard. */
import type { Shard } from '../../engine/shard/shard.ts'
import { OP_DELETE } from '../../engine/store/log-format.ts'
import type { LogRecord } from '../../engine/store/log-reader.ts'
import type { ChangesRequest, ShardChanges } from './shard-host.ts'

export async function readShardChanges(
  shard: Pick<Shard, 'readHistory'>,
  { from, size, maxBytes }: ChangesRequest,
): Promise<ShardChanges> {
  const pieces: Uint8Array[] = []
  let count = 0
  let bytes = 0
  const { next, maxSeqNo } = await shard.readHistory(from, (record) => {
    if (count === size || (count > 0 && bytes + record.source.length > maxBytes)) return false
    const printed = printChange(record, count > 0)
    for (const piece of printed) bytes += piece.length
    pieces.push(...printed)
    count++
    return true
  })
  return { body: concatenated(pieces, bytes), count, next, maxSeqNo }
}

function printChange({ op, seqNo, version, primaryTerm, idBytes, routing, source }: LogRecord, follows: boolean) {
  const id = JSON.stringify(Buffer.from(idBytes).toString())
  const routed = routing === undefined ? '' : `,"_routing":${JSON.stringify(routing)}`
  const head =
    `${follows ? ',' : ''}{"op":"${op === OP_DELETE ? 'delete' : 'index'}","_id":${id}${routed},"_version":${version}` +
    `,"_seq_no":${seqNo},"_primary_term":${primaryTerm}`
  if (op === OP_DELETE) return [Buffer.from(`${head}}`)]
  return [Buffer.from(`${head},"_source":`), source, END]
}

const END = Buffer.from('}')

/** The pieces in memory of their own, which can be transferred to another thread. */
function concatenated(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
