/** Compares documents of the source with those of the target: id, routing, version and source. */
import { createHash } from 'node:crypto'
import { elements, find, members, type Span, textOf } from '../transfer/hit-scanner.ts'
import { type Cluster, type MovedDocument, readDocument } from './cluster.ts'
import { mgetBody } from './follow.ts'

export interface Difference {
  readonly id: string
  readonly difference: string
}

/** The documents of an index by id, in the order of `wanted`; undefined for those that are not there. */
export async function getDocuments(
  cluster: Cluster,
  index: string,
  wanted: readonly Pick<MovedDocument, 'id' | 'routing'>[],
  withSource = true,
): Promise<(MovedDocument | undefined)[]> {
  const what = `cannot read documents of ${index}`
  const answer = await cluster.client.need(what, 'POST', '/_mget', mgetBody(index, wanted, withSource))
  return [...elements(answer, find(answer, ['docs'])!.start)].map((span) => {
    const parts = new Map<string, Span>(members(answer, span.start))
    const error = parts.get('error')
    if (error !== undefined) throw new Error(`${what}: ${textOf(answer, error)}`)
    return textOf(answer, parts.get('found')!) === 'true' ? readDocument(answer, parts) : undefined
  })
}

/** What is different about a document; undefined if nothing is. Documents of data streams have versions of their own. */
export function compareDocuments(
  source: MovedDocument,
  target: MovedDocument | undefined,
  ignoresVersion: boolean,
): string | undefined {
  if (target === undefined) return 'missing at the target'
  if (source.routing !== target.routing) return `routing ${source.routing}, at the target ${target.routing}`
  if (!ignoresVersion && source.version !== target.version) {
    return `version ${source.version}, at the target ${target.version}`
  }
  return source.source !== undefined && target.source !== undefined && sameJson(source.source, target.source)
    ? undefined
    : 'another source'
}

/** Equal bytes, or equal but for white space between tokens. */
function sameJson(a: Buffer, b: Buffer): boolean {
  return a.equals(b) || withoutSpace(a).equals(withoutSpace(b))
}

function withoutSpace(json: Buffer): Buffer {
  const out = Buffer.alloc(json.length)
  let length = 0
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!
    if (isText) {
      out[length++] = byte
      if (byte === 0x5c) out[length++] = json[++i]!
      else if (byte === 0x22) isText = false
    } else if (byte > 0x20) {
      out[length++] = byte
      isText = byte === 0x22
    }
  }
  return out.subarray(0, length)
}

/** The contribution of one document to a set: four lanes of its digest, and the number of its bytes. */
export type Contribution = Uint32Array

const LANES = 4

export function contributionOf(document: MovedDocument, ignoresVersion: boolean): Contribution {
  const { id, routing, version, source } = document
  const hash = createHash('sha256')
  hash.update(`${id}\n${routing ?? ''}\n${ignoresVersion ? '' : version}\n`)
  hash.update(withoutSpace(source!))
  const digest = hash.digest()
  const out = new Uint32Array(LANES + 1)
  for (let lane = 0; lane < LANES; lane++) out[lane] = digest.readUInt32LE(lane * 4)
  out[LANES] = source!.length
  return out
}

/** A set of documents in any order: how many there are, their bytes, and the sum of their digests. */
export class DocumentSet {
  readonly #lanes = new Uint32Array(LANES)
  #documents = 0
  #bytes = 0

  get documents(): number {
    return this.#documents
  }

  get bytes(): number {
    return this.#bytes
  }

  get digest(): string {
    return [...this.#lanes].map((lane) => lane.toString(16).padStart(8, '0')).join('')
  }

  add(contribution: Contribution): void {
    this.#documents++
    this.#bytes += contribution[LANES]!
    for (let lane = 0; lane < LANES; lane++) this.#lanes[lane]! += contribution[lane]!
  }

  remove(contribution: Contribution): void {
    this.#documents--
    this.#bytes -= contribution[LANES]!
    for (let lane = 0; lane < LANES; lane++) this.#lanes[lane]! -= contribution[lane]!
  }
}
