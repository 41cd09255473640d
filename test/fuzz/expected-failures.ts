/** Answers of 5xx that a real Elasticsearch 8.19 gives as well: by the type and the words of the error. Everything else is a finding. */
import type { ReceivedAnswer } from '../hostile/watched-service.ts'

const EXPECTED: readonly RegExp[] = [
  // A score that is no number, from factors the request gives.
  /function score query returned an invalid score/,
  // States that an alias cannot be in.
  /alias \[.*\] has more than one write index/,
  /alias \[.*\] has is_hidden set to true on indices/,
  // A search that was on its way when its index was closed or deleted.
  /shard has failed: it is (?:not open|closed)/,
  /a file of the shard is gone/,
  /its index was deleted while it was read/,
  /shard has failed: cannot be read again after its files could not be written: ENOENT/,
  /is missing : filters parameter/,
  /data stream \[.*\] conflicts with existing index/,
  // Settings of analysis that are no numbers, or no rules.
  /Invalid escaped char|Invalid Mapping Rule/,
  /Failed to parse (?:int|float|boolean|double|long) setting \[/,
  /field value function must not produce negative scores|must be non-negative|score function must not produce negative/,
]

export function isExpected({ status, body }: ReceivedAnswer): boolean {
  if (status < 500) return true
  // What is not implemented says so.
  if (status === 501) return true
  return EXPECTED.some((pattern) => pattern.test(body))
}
