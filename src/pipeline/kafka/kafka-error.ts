/** Error codes of brokers. Only codes that are handled, or that users encounter, have a name. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'OFFSET_OUT_OF_RANGE',
  2: 'CORRUPT_MESSAGE',
  3: 'UNKNOWN_TOPIC_OR_PARTITION',
  5: 'LEADER_NOT_AVAILABLE',
  6: 'NOT_LEADER_OR_FOLLOWER',
  7: 'REQUEST_TIMED_OUT',
  10: 'MESSAGE_TOO_LARGE',
  14: 'COORDINATOR_LOAD_IN_PROGRESS',
  15: 'COORDINATOR_NOT_AVAILABLE',
  16: 'NOT_COORDINATOR',
  17: 'INVALID_TOPIC_EXCEPTION',
  19: 'NOT_ENOUGH_REPLICAS',
  20: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  22: 'ILLEGAL_GENERATION',
  23: 'INCONSISTENT_GROUP_PROTOCOL',
  25: 'UNKNOWN_MEMBER_ID',
  26: 'INVALID_SESSION_TIMEOUT',
  27: 'REBALANCE_IN_PROGRESS',
  29: 'TOPIC_AUTHORIZATION_FAILED',
  30: 'GROUP_AUTHORIZATION_FAILED',
  32: 'INVALID_TIMESTAMP',
  33: 'UNSUPPORTED_SASL_MECHANISM',
  31: 'CLUSTER_AUTHORIZATION_FAILED',
  35: 'UNSUPPORTED_VERSION',
  45: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
  46: 'DUPLICATE_SEQUENCE_NUMBER',
  47: 'INVALID_PRODUCER_EPOCH',
  58: 'SASL_AUTHENTICATION_FAILED',
  59: 'UNKNOWN_PRODUCER_ID',
  79: 'MEMBER_ID_REQUIRED',
  82: 'FENCED_INSTANCE_ID',
  87: 'INVALID_RECORD',
}

export const OFFSET_OUT_OF_RANGE = 1
export const UNKNOWN_TOPIC_OR_PARTITION = 3
export const ILLEGAL_GENERATION = 22
export const UNKNOWN_MEMBER_ID = 25
export const REBALANCE_IN_PROGRESS = 27
export const CLUSTER_AUTHORIZATION_FAILED = 31
export const OUT_OF_ORDER_SEQUENCE_NUMBER = 45
export const DUPLICATE_SEQUENCE_NUMBER = 46
export const INVALID_PRODUCER_EPOCH = 47
export const UNKNOWN_PRODUCER_ID = 59
export const MEMBER_ID_REQUIRED = 79
export const FENCED_INSTANCE_ID = 82

/** Errors that a retry cannot change. */
const FINAL = new Set([2, 10, 17, 29, 30, 32, 33, 35, 58, 87])

const ABOUT_RECORD = new Set([2, 10, 17, 32, 87])

/** Of those, errors that a single record of the batch may cause. */
const ABOUT_BATCH = new Set([2, 10, 32, 87])

export class KafkaError extends Error {
  readonly code: number

  constructor(code: number, what: string) {
    super(`${what}: ${NAMES[code] ?? `error ${code}`}`)
    this.name = 'KafkaError'
    this.code = code
  }

  get isFinal(): boolean {
    return FINAL.has(this.code)
  }

  /** Whether the record itself, or its topic, is invalid. Missing permissions have to be fixed by the operator. */
  get isAboutRecord(): boolean {
    return ABOUT_RECORD.has(this.code)
  }

  /** Whether one record of a batch is invalid and the broker does not say which. */
  get isAboutBatch(): boolean {
    return ABOUT_BATCH.has(this.code)
  }
}

export function check(code: number, what: string): void {
  if (code !== 0) throw new KafkaError(code, what)
}
