/** registered_domain: splits a host name into its parts, with the list of public suffixes. */
import { createRequire } from 'node:module'
import { illegalArgument } from '../../../base/api-error.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

type Suffixes = typeof import('tldts')

let suffixes: Suffixes | undefined

/** Loaded on first use, because the list is large and few pipelines need it. */
function loadSuffixes(): Suffixes {
  suffixes ??= createRequire(import.meta.url)('tldts') as Suffixes
  return suffixes
}

export const registeredDomain: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const target = reader.optionalString('target_field') ?? ''
  const ignoresMissing = reader.boolean('ignore_missing', true)
  const { parse } = loadSuffixes()
  const prefix = target === '' ? '' : `${target}.`
  return (document) => {
    const host = document.text(field, ignoresMissing)
    if (host === undefined || host === null) {
      if (ignoresMissing) return
      throw illegalArgument('unable to set domain information for document')
    }
    const { publicSuffix, domain, subdomain, isIcann, isIp } = parse(host.toLowerCase(), {
      validateHostname: false,
      extractHostname: false,
    })
    const isKnown = isIcann === true && isIp !== true && publicSuffix !== null && !host.endsWith('.')
    if (!isKnown) {
      if (ignoresMissing) return
      throw illegalArgument('unable to set domain information for document')
    }
    document.set(`${prefix}domain`, host)
    if (domain !== null) document.set(`${prefix}registered_domain`, domain)
    document.set(`${prefix}top_level_domain`, publicSuffix)
    if (subdomain !== null && subdomain !== '') document.set(`${prefix}subdomain`, subdomain)
  }
}
