/**
 * The files of the console (src/console, bundled for browsers): its page for every path below the prefix, and scripts
 * and styles whose names contain a hash of their contents. Files are read on request; the folder is listed once. They are
 * stored as Brotli only, and converted for browsers that do not accept it, for example over plain HTTP.
 */

import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { lentBytes, NO_BYTES } from '../base/memory/lent-bytes.ts'
import type { Answer } from './dispatcher.ts'

export const CONSOLE_PATH = '/_sandpiper/console/'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

export class ConsoleFiles {
  readonly #folder: string
  #names: ReadonlySet<string> | undefined
  #page: string | undefined
  readonly #files = new Map<string, Buffer>()

  constructor(folder = defaultFolder()) {
    this.#folder = folder
  }

  /** The response for a console request; undefined for other requests, which the API serves. */
  answer(method: string, uri: string, headers: IncomingHttpHeaders): Answer | Promise<Answer> | undefined {
    if ((method !== 'GET' && method !== 'HEAD') || !mayBeConsole(uri)) return undefined
    const path = uri.split('?', 1)[0]!
    // Programs that ask for whatever there is (`*/*`) get the API's answer.
    if (path === '/') return wantsHtml(headers) && this.#isBuilt() ? redirect(CONSOLE_PATH) : undefined
    if (!`${path}/`.startsWith(CONSOLE_PATH)) return undefined
    if (!this.#isBuilt()) return undefined
    if (!path.startsWith(CONSOLE_PATH)) return redirect(CONSOLE_PATH)
    const name = path.slice(CONSOLE_PATH.length)
    return /^[\w.-]+\.(js|css)$/.test(name) ? this.#file(name, headers) : this.#html()
  }

  #isBuilt(): boolean {
    if (this.#names === undefined) {
      try {
        this.#names = new Set(readdirSync(this.#folder))
      } catch {
        this.#names = new Set()
      }
    }
    return this.#names.has('index.html')
  }

  async #html(): Promise<Answer> {
    this.#page ??= await readFile(`${this.#folder}index.html`, 'utf8')
    // CodeMirror adds a style element, which the policy allows by its nonce.
    const nonce = randomBytes(16).toString('base64url')
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy(nonce),
        'cache-control': 'no-store',
        ...COMMON_HEADERS,
      },
      body: lentBytes(Buffer.from(this.#page.replaceAll('__NONCE__', nonce))),
    }
  }

  async #file(name: string, headers: IncomingHttpHeaders): Promise<Answer> {
    const accepted = String(headers['accept-encoding'] ?? '')
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
    if (!this.#names!.has(`${name}.br`)) return { status: 404, headers: { ...COMMON_HEADERS }, body: NO_BYTES }
    const etag = `"${name}.${encoding}"`
    const common = {
      'content-type': MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)]!,
      etag,
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=31536000, immutable',
      ...COMMON_HEADERS,
    }
    if (headers['if-none-match']?.includes(etag)) return { status: 304, headers: common, body: NO_BYTES }
    const body = lentBytes(await this.#encoded(name, encoding))
    return { status: 200, headers: { ...common, 'content-encoding': encoding }, body }
  }

  /** The contents of a file in an encoding. Those in Brotli and gzip are kept. */
  async #encoded(name: string, encoding: 'br' | 'gzip' | 'identity'): Promise<Buffer> {
    const kept = this.#files.get(`${name}.${encoding}`)
    if (kept !== undefined) return kept
    if (encoding === 'identity') return promisify(brotliDecompress)(await this.#encoded(name, 'br'))
    const body =
      encoding === 'br'
        ? await readFile(`${this.#folder}${name}.br`)
        : await promisify(gzip)(await this.#encoded(name, 'identity'))
    this.#files.set(`${name}.${encoding}`, body)
    return body
  }
}

/** Rules most requests out at little cost: the console is below `/_sandpiper/`, and the root leads to it. */
const mayBeConsole = (uri: string) => uri.length === 1 || uri.startsWith('/_sandpiper/') || uri.startsWith('/?')

const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const

/**
 * The content security policy: only scripts, styles and requests of this server, no framing, no forms to other servers.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function wantsHtml({ accept }: IncomingHttpHeaders): boolean {
  return accept !== undefined && /\btext\/html\b/i.test(accept)
}

function redirect(location: string): Answer {
  return { status: 302, headers: { location, 'cache-control': 'no-store', vary: 'accept' }, body: NO_BYTES }
}

/** The folder beside the bundle of this module; when run from the sources, the output folder of `npm run build`. */
function defaultFolder(): string {
  const here = import.meta.url
  const isBundled = here.includes('/dist/bundle/')
  return fileURLToPath(new URL(isBundled ? './console/' : '../../dist/bundle/console/', here))
}
