/** What a gateway tells about itself. The service in front of it has the endpoints. */
import type { JsonValue } from '../../base/json/json-writer.ts'
import type { Exposition } from './exposition.ts'

export interface GatewayStatus {
  /** Whether a node of the cluster answers. */
  readonly isReady: boolean
  describe(): JsonValue
  writeMetrics(out: Exposition): void
}
