/** Parses the addresses of `hosts` in all accepted forms. */
import { PluginOptionError } from '../plugin/plugin-context.ts'

export interface HostSettings {
  readonly hosts: readonly string[]
  /** Undefined leaves the choice to the scheme. */
  readonly isSecure: boolean | undefined
  readonly path: string | undefined
  readonly defaultPort: number
}

export interface Addresses {
  /** Scheme, host, port and path prefix without a trailing slash. */
  readonly bases: readonly URL[]
  readonly user: string | undefined
  readonly password: string | undefined
}

/** All entries must have the same scheme, path and user, because a request may go to any of them. */
export function parseHosts(settings: HostSettings): Addresses {
  // One text may contain several hosts, as when an environment variable lists them all.
  const hosts = settings.hosts.flatMap((text) => text.split(/\s+/).filter((host) => host !== ''))
  const urls = hosts.map((host) => parseHost(host, settings))
  const first = urls[0]
  if (first === undefined) throw new PluginOptionError('hosts must not be empty')
  for (const [what, of] of [
    ['scheme', (url: URL) => url.protocol],
    ['path', (url: URL) => url.pathname],
    ['user', (url: URL) => `${url.username}:${url.password}`],
  ] as const) {
    if (urls.some((url) => of(url) !== of(first))) {
      throw new PluginOptionError(`All hosts must have the same ${what}: ${urls.map(shown).join(', ')}`)
    }
  }
  if (settings.isSecure === false && first.protocol === 'https:') {
    throw new PluginOptionError('ssl_enabled is false, but the hosts are written with https')
  }
  if (settings.isSecure === true && first.protocol === 'http:') {
    throw new PluginOptionError('ssl_enabled is true, but the hosts are written with http')
  }
  const user = first.username === '' ? undefined : decodeURIComponent(first.username)
  const password = first.password === '' ? undefined : decodeURIComponent(first.password)
  return { bases: urls.map((url) => withPrefix(url, settings.path)), user, password }
}

function parseHost(host: string, { isSecure, defaultPort }: HostSettings): URL {
  const scheme = isSecure ? 'https:' : 'http:'
  const full = /^[a-z]+:\/\//i.test(host) ? host : host.startsWith('//') ? scheme + host : `${scheme}//${host}`
  let url: URL
  try {
    url = new URL(full)
  } catch {
    throw new PluginOptionError(`"${host}" is no address: write host, host:port or http://host:port`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new PluginOptionError(`"${host}" has an unknown scheme: only http and https are possible`)
  }
  // The URL parser drops a port that is the scheme's default, even if it was written.
  const given = /:(\d+)(?:[/?#]|$)/.exec(full.replace(/^[a-z]+:\/\/(?:[^@/]*@)?(?:\[[^\]]*\])?/i, ''))
  if (url.port === '' && given === null) url.port = String(defaultPort)
  return url
}

function withPrefix(url: URL, path: string | undefined): URL {
  const own = url.pathname.replace(/\/+$/, '')
  if (path !== undefined && own !== '') {
    throw new PluginOptionError(
      `A path is set in hosts (${own}) and in the option path (${path}): only one is possible`,
    )
  }
  const base = new URL(url)
  base.username = ''
  base.password = ''
  base.pathname = path === undefined ? own : `/${path.replace(/^\/+|\/+$/g, '')}`
  return base
}

function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}

/** Decodes `name:base64(host$elasticsearch-id$kibana-id)`, the address of a hosted service. */
export function parseCloudId(cloudId: string): string {
  const encoded = cloudId.slice(cloudId.indexOf(':') + 1)
  const [domain, id] = Buffer.from(encoded, 'base64').toString('utf8').split('$')
  if (!domain || !id) throw new PluginOptionError(`"${cloudId}" is no cloud_id`)
  const [host, port] = domain.split(':')
  return `https://${id}.${host}:${port ?? '443'}`
}
