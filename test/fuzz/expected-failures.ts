/**
 * 5xx responses that Elasticsearch 8.19 sends as well, by the type and the text of the error. Any other 5xx is a
 * finding.
 */
import type { ReceivedAnswer } from '../hostile/watched-service.ts'

const EXPECTED: readonly RegExp[] = [
  // A score that is not a number, because of factors in the request.
  /function score query returned an invalid score/,
  // Invalid states of an alias.
  /alias \[.*\] has more than one write index/,
  /alias \[.*\] has is_hidden set to true on indices/,
  // A search that was running when its index was closed or deleted.
  /shard has failed: it is (?:not open|closed)/,
  /a file of the shard is gone/,
  /its index was deleted while it was read/,
  // A copy of a closed index that is still being closed.
  /operations of the closed shard are not committed yet/,
  /the \[(?:subobjects|enabled)\] parameter can't be updated for the object mapping/,
  // A query in an aggregation or a highlight; elsewhere the same mistake is answered with 400.
  /"illegal_state_exception","reason":"\[nested\] failed to find nested object under path/,
  /"illegal_state_exception","reason":"No minimum should match has been specified/,
  /is missing : filters parameter/,
  /data stream \[.*\] conflicts with existing index/,
  // Analysis settings that are no valid numbers or rules.
  /Invalid escaped char|Invalid Mapping Rule/,
  /Failed to get setting group for \[index\.analysis\./,
  /Failed to parse (?:int|float|boolean|double|long) setting \[/,
  /field value function must not produce negative scores|must be non-negative|score function must not produce negative/,
]

export function isExpected({ status, body }: ReceivedAnswer): boolean {
  if (status < 500) return true
  // A feature that is not implemented.
  if (status === 501) return true
  // A search on a closed or deleted index whose error was removed by `filter_path`.
  if (status === 503 && body === '{}') return true
  return EXPECTED.some((pattern) => pattern.test(body))
}
