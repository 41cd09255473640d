/** `tld`: splits a host name with the public suffix list. */
import { createRequire } from 'node:module'
import { Fields, isFields } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

type SuffixList = typeof import('tldts')

/** Rules of private owners (`github.io`) count too, as in the list that Logstash uses. */
const RULES = { allowPrivateDomains: true, extractHostname: false, validateHostname: true } as const

export const tld = filterPlugin({
  name: 'tld',
  touches: 'nothing',
  options: {
    source: option.field({ default: 'message' }),
    target: option.field({ default: 'tld' }),
  },
  create({ source, target }) {
    const { parse } = createRequire(import.meta.url)('tldts') as SuffixList
    return {
      filter(event) {
        const name = event.get(source)
        if (typeof name !== 'string') return false
        const { domain, publicSuffix, subdomain, domainWithoutSuffix, isIcann, isPrivate } = parse(name.trim(), RULES)
        if (domain === null || publicSuffix === null || !(isIcann || isPrivate)) return false
        const known = event.get(target)
        event.set(
          target,
          Object.assign(isFields(known) ? known : new Fields(), {
            tld: publicSuffix,
            sld: domainWithoutSuffix,
            trd: subdomain === '' ? null : subdomain,
            domain,
            subdomain: subdomain === '' ? null : `${subdomain}.${domain}`,
            top_level_domain: publicSuffix,
          }),
        )
        return true
      },
    }
  },
})
