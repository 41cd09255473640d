/** The identity of the node in all node responses. */
import { ELASTICSEARCH_VERSION } from '../../base/version.ts'
import { INDEX_VERSION } from '../indices/index-builder.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'

/** One node has all roles; the letters are those of `_cat/nodes`. */
export const ROLES = ['data', 'data_content', 'data_hot', 'ingest', 'master', 'remote_cluster_client'] as const
export const ROLE_LETTERS = 'dhimrs'

/** There is no transport between nodes, but clients that print the address expect one. */
export const TRANSPORT_ADDRESS = '127.0.0.1:9300'
export const HOST = '127.0.0.1'

export function nodeIdentity(node: SandpiperNode): JsonObject {
  return {
    name: node.name,
    ephemeral_id: node.id,
    transport_address: TRANSPORT_ADDRESS,
    external_id: node.name,
    attributes: {},
    roles: ROLES,
    version: ELASTICSEARCH_VERSION,
    min_index_version: 7000099,
    max_index_version: Number(INDEX_VERSION),
  }
}
