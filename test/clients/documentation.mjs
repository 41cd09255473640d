// Runs the blocks of the manual that need a client package, marked `js client` and `py client`, against a service and one with users and TLS.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClientCertificate } from '../../dist/security/tls/certificate.js'
import { codeBlocks } from '../docs/code-blocks.mjs'
import { run } from './runner/install.mjs'
import { startService } from './runner/service.mjs'

const manual = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'manual')
const PASSWORD = 'of the manual'

/** The blocks of a language that need a client. */
export function clientBlocks(language) {
  return readdirSync(manual, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => codeBlocks(name, readFileSync(join(manual, name), 'utf8')))
    .filter((block) => block.language === language && block.needs.includes('client'))
}

/** Runs the blocks with an interpreter in the folder where the client is installed. */
export async function runClientBlocks(language, folder, url, interpreter) {
  const secured = await startService({
    flags: ['--security', 'true', '--tls', 'auto', '--tls-client-auth', 'optional'],
    environment: { ELASTIC_PASSWORD: PASSWORD },
  })
  try {
    const read = (name) => readFileSync(join(secured.folder, 'data', 'certs', name), 'utf8')
    const authority = { certificate: read('http_ca.crt'), privateKey: createPrivateKey(read('http_ca.key')) }
    const ann = createClientCertificate(authority, 'ann', Date.now())
    writeFileSync(join(folder, 'ann.crt'), ann.certificate)
    writeFileSync(join(folder, 'ann.key'), ann.key)
    const fingerprint = new X509Certificate(authority.certificate).fingerprint256.replaceAll(':', '').toLowerCase()
    return clientBlocks(language).map(({ page, line, text }) => {
      const adapted = text
        .replaceAll('https://search.example:9200', secured.url)
        .replaceAll('http://127.0.0.1:9200', url)
        .replaceAll('78eb3e…', fingerprint)
        .replaceAll('Kq3…', PASSWORD)
      const script = join(folder, language === 'js' ? 'block.mjs' : 'block.py')
      writeFileSync(script, adapted)
      const { status, stderr } = run(interpreter, [script], { cwd: folder, minutes: 2 })
      return {
        test: `${page}:${line}`,
        status: status === 0 ? 'passed' : 'failed',
        message: messageOf(stderr ?? ''),
      }
    })
  } finally {
    await secured.stop()
  }
}

/** The line that names the error; what follows in JavaScript is the object. */
const messageOf = (stderr) => stderr.split('\n').find((line) => /^\w*Error\b.*:/.test(line)) ?? stderr.slice(-400)
