import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { CERTIFICATE, KEY } from './certificate-fixture.ts'
import { serverTls } from './tls-options.ts'

test('a key or certificate that cannot be read is named with its option and file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const certificate = write('cert.pem', CERTIFICATE)
  const key = write('key.pem', KEY)
  const junk = write('junk.pem', 'junk')
  const encoding = { type: 'pkcs8', format: 'pem' } as const
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = write('other.pem', String(privateKey.export(encoding)))
  const locked = write('locked.pem', String(privateKey.export({ ...encoding, cipher: 'aes-128-cbc', passphrase: 'p' })))
  const make = (ssl_certificate: string, ssl_key: string, ssl_key_passphrase?: string) => {
    const lists = { ssl_certificate_authorities: [], ssl_supported_protocols: [], ssl_cipher_suites: [] }
    return () => serverTls({ ssl_certificate, ssl_key, ssl_key_passphrase, ...lists }, 'none')
  }
  assert.doesNotThrow(make(certificate, key))
  assert.throws(make(certificate, junk), /ssl_key .*junk\.pem: no private key in PEM form \(/)
  assert.throws(make(junk, key), /ssl_certificate .*junk\.pem: no certificate in PEM form \(/)
  assert.throws(make(certificate, other), /ssl_key .*other\.pem: it does not belong to ssl_certificate .*cert\.pem/)
  assert.throws(make(certificate, locked, 'q'), /ssl_key .*locked\.pem: no private key that ssl_key_passphrase opens/)
  assert.throws(make(certificate, locked), /ssl_key .*locked\.pem: no private key in PEM form/)
})
