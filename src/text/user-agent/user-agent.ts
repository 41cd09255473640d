/**
 * Parses user agent strings into program, operating system and device, with the names of the ua-parser family (`Chrome
 * Mobile`, `Mac OS X`, `Spider`), because dashboards depend on them.
 *
 * The list covers nearly all traffic. Unknown programs are `Other`; users with unusual clients can provide a pattern
 * file (`regexes`).
 */

export interface Versioned {
  readonly name: string
  /** Major, minor, patch and so on, as far as known. */
  readonly version: readonly string[]
}

export interface UserAgent extends Versioned {
  readonly os: Versioned
  readonly device: string
}

/** Groups from 1 on are parts of the version. The name may use `$1`, which is then not part of the version. */
export interface Pattern {
  readonly regex: RegExp
  readonly name: string
  readonly version?: readonly string[]
}

const VERSION = '(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:\\.(\\d+))?'

/** A program that identifies itself as `token/1.2.3`. */
function token(text: string, name: string): Pattern {
  return { regex: new RegExp(`${text}/${VERSION}`), name }
}

/** The order matters: most programs also claim to be those further down. */
const PROGRAMS: readonly Pattern[] = [
  // Robots and libraries.
  token('Googlebot-Image', 'Googlebot-Image'),
  token('(?:Googlebot|GoogleOther)', 'Googlebot'),
  token('[Bb]ingbot', 'bingbot'),
  { regex: /Yahoo! Slurp/, name: 'Yahoo! Slurp' },
  token('DuckDuckBot', 'DuckDuckBot'),
  token('Baiduspider', 'Baiduspider'),
  token('YandexBot', 'YandexBot'),
  token('Applebot', 'Applebot'),
  token('facebookexternalhit', 'FacebookBot'),
  token('Twitterbot', 'Twitterbot'),
  token('LinkedInBot', 'LinkedInBot'),
  token('Slackbot', 'Slackbot'),
  token('AhrefsBot', 'AhrefsBot'),
  token('SemrushBot', 'SemrushBot'),
  token('MJ12bot/v', 'MJ12bot'),
  token('MJ12bot', 'MJ12bot'),
  token('PetalBot', 'PetalBot'),
  token('GPTBot', 'GPTBot'),
  token('ClaudeBot', 'ClaudeBot'),
  token('curl', 'curl'),
  token('Wget', 'Wget'),
  token('[Pp]ython-requests', 'Python Requests'),
  token('Python-urllib', 'Python-urllib'),
  token('aiohttp', 'aiohttp'),
  token('Go-http-client', 'Go-http-client'),
  token('okhttp', 'okhttp'),
  token('Apache-HttpClient', 'Apache-HttpClient'),
  token('PostmanRuntime', 'PostmanRuntime'),
  token('axios', 'axios'),
  token('Elastic-Heartbeat', 'Elastic-Heartbeat'),
  token('kube-probe', 'kube-probe'),
  token('Prometheus', 'Prometheus'),
  // Apps with a browser inside.
  { regex: new RegExp(`FBAV/${VERSION}`), name: 'Facebook' },
  token('Instagram[ /]?', 'Instagram'),
  token('GSA', 'Google'),
  // Browsers built on another browser's engine.
  token('EdgA', 'Edge Mobile'),
  token('EdgiOS', 'Edge Mobile'),
  token('(?:Edge|Edg)', 'Edge'),
  token('OPiOS', 'Opera Mini'),
  token('Opera Mini', 'Opera Mini'),
  { regex: new RegExp(`Mobile.*OPR/${VERSION}`), name: 'Opera Mobile' },
  token('OPR', 'Opera'),
  { regex: new RegExp(`Opera.*Version/${VERSION}`), name: 'Opera' },
  token('Opera', 'Opera'),
  token('Vivaldi', 'Vivaldi'),
  token('YaBrowser', 'Yandex Browser'),
  token('SamsungBrowser', 'Samsung Internet'),
  token('UCBrowser', 'UC Browser'),
  token('MiuiBrowser', 'MiuiBrowser'),
  token('DuckDuckGo', 'DuckDuckGo'),
  token('Brave', 'Brave'),
  token('Electron', 'Electron'),
  token('HeadlessChrome', 'HeadlessChrome'),
  token('CriOS', 'Chrome Mobile iOS'),
  token('FxiOS', 'Firefox iOS'),
  token('Focus', 'Firefox Focus'),
  token('SeaMonkey', 'SeaMonkey'),
  token('PaleMoon', 'Pale Moon'),
  token('Thunderbird', 'Thunderbird'),
  { regex: new RegExp(`(?:Mobile|Tablet);.*Firefox/${VERSION}`), name: 'Firefox Mobile' },
  token('Firefox', 'Firefox'),
  { regex: new RegExp(`; wv\\).*Chrome/${VERSION}`), name: 'Chrome Mobile WebView' },
  { regex: new RegExp(`Chrome/${VERSION}\\s+Mobile`), name: 'Chrome Mobile' },
  token('Chromium', 'Chromium'),
  token('Chrome', 'Chrome'),
  { regex: new RegExp(`Android.*Version/${VERSION}.*Safari`), name: 'Android' },
  { regex: new RegExp(`(?:iPhone|iPad|iPod).*Version/${VERSION}.*Safari`), name: 'Mobile Safari' },
  { regex: /(?:iPhone|iPad|iPod).*AppleWebKit/, name: 'Mobile Safari UI/WKWebView' },
  { regex: new RegExp(`Version/${VERSION}.*Safari/`), name: 'Safari' },
  { regex: /AppleWebKit.*Safari\//, name: 'Safari' },
  { regex: /Trident\/7\.0.*rv:(\d+)\.(\d+)/, name: 'IE' },
  { regex: /MSIE (\d+)\.(\d+)/, name: 'IE' },
  token('Lynx', 'Lynx'),
  // Unlisted robots usually have a name that ends in bot, spider or crawler.
  { regex: new RegExp(`([A-Za-z][\\w-]*(?:[Bb]ot|[Ss]pider|[Cc]rawler))/?(?:v?${VERSION})?`), name: '$1' },
]

const SYSTEMS: readonly Pattern[] = [
  { regex: /Windows Phone(?: OS)? (\d+)\.(\d+)/, name: 'Windows Phone' },
  { regex: /Windows NT 10\.0|Windows 10/, name: 'Windows', version: ['10'] },
  { regex: /Windows NT 6\.3/, name: 'Windows', version: ['8', '1'] },
  { regex: /Windows NT 6\.2/, name: 'Windows', version: ['8'] },
  { regex: /Windows NT 6\.1/, name: 'Windows', version: ['7'] },
  { regex: /Windows NT 6\.0/, name: 'Windows', version: ['Vista'] },
  { regex: /Windows NT 5\.[12]|Windows XP/, name: 'Windows', version: ['XP'] },
  { regex: /Windows NT 5\.0/, name: 'Windows', version: ['2000'] },
  { regex: /Windows/, name: 'Windows' },
  { regex: /(?:iPhone|iPad|iPod)[^)]*? OS (\d+)[_.](\d+)(?:[_.](\d+))?/, name: 'iOS' },
  { regex: /(?:CFNetwork|iPhone|iPad|iPod)/, name: 'iOS' },
  { regex: /Android[ -]?(\d+)(?:\.(\d+))?(?:\.(\d+))?/, name: 'Android' },
  { regex: /Android/, name: 'Android' },
  { regex: /Mac OS X (\d+)[_.](\d+)(?:[_.](\d+))?/, name: 'Mac OS X' },
  { regex: /Mac OS X|Macintosh|Darwin/, name: 'Mac OS X' },
  { regex: /CrOS \S+ (\d+)\.(\d+)(?:\.(\d+))?/, name: 'Chrome OS' },
  { regex: /Tizen[ /](\d+)\.(\d+)/, name: 'Tizen' },
  { regex: /(Ubuntu|Fedora|Debian|CentOS|Red Hat|SUSE|Mint)(?:[/ -](\d+)(?:\.(\d+))?(?:\.(\d+))?)?/, name: '$1' },
  { regex: /(FreeBSD|OpenBSD|NetBSD)(?:[/ ](\d+)(?:\.(\d+))?)?/, name: '$1' },
  { regex: /Linux|X11/, name: 'Linux' },
]

const DEVICES: readonly Pattern[] = [
  { regex: /[Bb]ot\b|[Ss]pider|[Cc]rawler|Slurp|facebookexternalhit/, name: 'Spider' },
  { regex: /(iPhone|iPad|iPod)/, name: '$1' },
  { regex: /Windows Phone.*?; ?(?:NOKIA|Nokia); ?(Lumia [^;)]+)/, name: '$1' },
  { regex: /; (SM-[A-Z0-9]+|GT-[A-Z0-9]+|SAMSUNG [^;)/]+?)(?: Build|[;)/])/, name: 'Samsung $1' },
  { regex: /; (Pixel[^;)/]*?)(?: Build|[;)])/, name: '$1' },
  { regex: /; (Nexus[^;)/]*?)(?: Build|[;)])/, name: '$1' },
  { regex: /Android[^;)]*; (?:[a-z]{2}[-_][A-Za-z]{2}; )?([^;)]+?)(?: Build\/|; wv|\))/, name: '$1' },
  { regex: /Android/, name: 'Generic Smartphone' },
  { regex: /Macintosh/, name: 'Mac' },
]

const OTHER: Versioned = { name: 'Other', version: [] }

export function parseUserAgent(text: string): UserAgent {
  const program = first(PROGRAMS, text) ?? OTHER
  return { ...program, os: first(SYSTEMS, text) ?? OTHER, device: deviceOf(text) }
}

/** Android without a model sends only `K` or nothing useful. */
function deviceOf(text: string): string {
  const name = first(DEVICES, text)?.name
  if (name === undefined) return 'Other'
  return name === 'K' || name === 'Mobile' || name === 'Tablet' || name.startsWith('rv:') ? 'Generic Smartphone' : name
}

function first(patterns: readonly Pattern[], text: string): Versioned | undefined {
  for (const { regex, name, version } of patterns) {
    const match = regex.exec(text)
    if (match === null) continue
    const usesGroup = name.includes('$1')
    const parts = match.slice(usesGroup ? 2 : 1).filter((part) => part !== undefined && part !== '')
    return { name: usesGroup ? name.replace('$1', match[1]!.trim()) : name, version: version ?? parts }
  }
  return undefined
}
