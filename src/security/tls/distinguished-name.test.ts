import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { createAuthority, createClientCertificate, type SubjectAttribute } from './certificate.ts'
import { normalizeName, subjectName } from './distinguished-name.ts'

const authority = createAuthority('Test CA', Date.now())
const issuer = { ...authority, privateKey: createPrivateKey(authority.key) }

const COUNTRY = '2.5.4.6'
const ORGANIZATION = '2.5.4.10'
const UNIT = '2.5.4.11'
const COMMON_NAME = '2.5.4.3'
const DOMAIN = '0.9.2342.19200300.100.1.25'

function printed(...attributes: SubjectAttribute[]): string {
  const { certificate } = createClientCertificate(issuer, attributes, Date.now())
  return subjectName(new X509Certificate(certificate).raw)
}

test('a subject is printed from the most specific attribute to the most general, with the keywords of Java', () => {
  assert.equal(
    printed([COUNTRY, 'NL'], [DOMAIN, 'example'], [ORGANIZATION, 'Example'], [UNIT, 'search'], [COMMON_NAME, 'ann']),
    'CN=ann, OU=search, O=Example, DC=example, C=NL',
  )
  assert.equal(printed(['1.3.6.1.4.1.99999.1', 'x'], [COMMON_NAME, 'ünal']), 'CN=ünal, OID.1.3.6.1.4.1.99999.1=x')
})

test('a value that could be read as another attribute is quoted', () => {
  assert.equal(printed([ORGANIZATION, 'a, CN=admin'], [COMMON_NAME, 'eve']), 'CN=eve, O="a, CN=admin"')
  assert.equal(printed([COMMON_NAME, 'say "hi" \\']), 'CN="say \\"hi\\" \\\\"')
  assert.equal(printed([COMMON_NAME, ' padded']), 'CN=" padded"')
})

test('names that differ in case, spaces or quotes have one normal form', () => {
  const expected = 'cn=ann lee,ou=search,o=example'
  for (const name of [
    'CN=Ann  Lee,OU=Search,O=Example',
    'cn=ann lee, ou=search, o=example',
    'CN="Ann Lee" , OU = search; O=EXAMPLE',
  ]) {
    assert.equal(normalizeName(name), expected)
  }
  assert.equal(normalizeName('O="a, b"'), 'o=a\\, b')
  assert.equal(normalizeName('O=a\\, b'), 'o=a\\, b')
  assert.equal(normalizeName('O=a\\2c b'), 'o=a\\, b')
  assert.equal(normalizeName('UID=1+CN=x'), normalizeName('cn=X + uid=1'))
})

test('a text that is no distinguished name has no normal form', () => {
  for (const text of ['admins', 'CN=a,', 'CN=a,b', '=a', 'CN="a']) assert.equal(normalizeName(text), undefined, text)
})
