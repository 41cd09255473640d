/** All processors by their name in pipeline definitions. */
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { append } from './append.ts'
import { communityId } from './community-id.ts'
import { convert } from './convert.ts'
import { csv } from './csv.ts'
import { date } from './date.ts'
import { dateIndexName } from './date-index-name.ts'
import { dissect } from './dissect.ts'
import { dotExpander } from './dot-expander.ts'
import { fingerprint } from './fingerprint.ts'
import { drop, fail, terminate } from './flow.ts'
import { foreach } from './foreach.ts'
import { geoip } from './geoip.ts'
import { grok } from './grok.ts'
import { gsub } from './gsub.ts'
import { json } from './json.ts'
import { kv } from './kv.ts'
import { join, sort, split } from './lists.ts'
import { networkDirection } from './network-direction.ts'
import { pipeline } from './pipeline.ts'
import { setSecurityUser } from './refused.ts'
import { registeredDomain } from './registered-domain.ts'
import { remove } from './remove.ts'
import { rename } from './rename.ts'
import { reroute } from './reroute.ts'
import { script } from './script.ts'
import { set } from './set.ts'
import { bytes, htmlStrip, lowercase, trim, uppercase, urldecode } from './text-changes.ts'
import { uriPartsProcessor } from './uri-parts.ts'
import { userAgent } from './user-agent.ts'

export const PROCESSORS: ReadonlyMap<string, ProcessorFactory> = new Map<string, ProcessorFactory>([
  ['append', append],
  ['bytes', bytes],
  ['community_id', communityId],
  ['convert', convert],
  ['csv', csv],
  ['date', date],
  ['date_index_name', dateIndexName],
  ['dissect', dissect],
  ['dot_expander', dotExpander],
  ['drop', drop],
  ['fail', fail],
  ['fingerprint', fingerprint],
  ['foreach', foreach],
  ['geoip', geoip],
  ['grok', grok],
  ['gsub', gsub],
  ['html_strip', htmlStrip],
  ['join', join],
  ['json', json],
  ['kv', kv],
  ['lowercase', lowercase],
  ['network_direction', networkDirection],
  ['pipeline', pipeline],
  ['registered_domain', registeredDomain],
  ['remove', remove],
  ['rename', rename],
  ['reroute', reroute],
  ['script', script],
  ['set', set],
  ['set_security_user', setSecurityUser],
  ['sort', sort],
  ['split', split],
  ['terminate', terminate],
  ['trim', trim],
  ['uppercase', uppercase],
  ['uri_parts', uriPartsProcessor],
  ['urldecode', urldecode],
  ['user_agent', userAgent],
])

/** The names of all processors, sorted. */
export const PROCESSOR_TYPES: readonly string[] = [...PROCESSORS.keys()].sort()
