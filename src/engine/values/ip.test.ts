import assert from 'node:assert/strict'
import { isIPv4, isIPv6 } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatIp, nextIp, parseCidr, parseIp, previousIp, requireIp } from './ip.ts'

const hex = (text: string) => {
  const address = parseIp(text)
  return address === undefined ? undefined : Buffer.from(address).toString('hex')
}

test('IPv4 and IPv6 addresses become sixteen bytes', () => {
  assert.equal(hex('1.2.3.4'), '00000000000000000000ffff01020304')
  assert.equal(hex('::ffff:1.2.3.4'), hex('1.2.3.4'))
  assert.equal(hex('2001:DB8::1'), '20010db8000000000000000000000001')
  assert.equal(hex('1:2:3:4:5:6:1.2.3.4'), '00010002000300040005000601020304')
  assert.equal(hex('1:2:3:4:5:6:7::'), '00010002000300040005000600070000')
  assert.equal(hex('fe80::1%eth0'), hex('fe80::1'))
  assert.equal(hex('::00001'), hex('::1'))
})

test('texts that only look like an address are rejected', () => {
  const refused = [
    '',
    '300.1.1.1',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4.5',
    ' 1.2.3.4',
    '1.2.3.4%x',
    ':1',
    '1:',
    ':::',
    '1::2::3',
  ]
  refused.push('1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '12345::', 'g::', '::1.2.3', '1.2.3.4::', '::%', '１.2.3.4')
  for (const text of refused) assert.equal(parseIp(text), undefined, text)
  assert.throws(() => requireIp('300.1.1.1'), { message: "'300.1.1.1' is not an IP string literal." })
})

test('addresses print in lower case without the longest run of zeros', () => {
  for (const text of ['1.2.3.4', '::', '::1', '1::', '1:0:0:2::', '1:0:2:3:4:5:6:7', '2001:db8::1']) {
    assert.equal(formatIp(requireIp(text)), text)
  }
  assert.equal(formatIp(requireIp('1:0:0:2:0:0:0:3')), '1:0:0:2::3')
})

test('parsing agrees with the runtime, and addresses survive a round trip', () => {
  const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(...'0123af:.'), maxLength: 12 }))
  fc.assert(
    fc.property(addresses, (text) => {
      const address = parseIp(text)
      // Groups with more than four digits are the only form that the runtime rejects and we accept.
      if (!/[0-9a-f]{5}/i.test(text)) assert.equal(address !== undefined, isIPv4(text) || isIPv6(text), text)
      if (address !== undefined) assert.deepEqual(parseIp(formatIp(address)), address)
    }),
    { numRuns: 1000 },
  )
})

test('a CIDR prefix is a range of addresses', () => {
  const { low, high } = parseCidr('10.1.2.3/15')
  assert.deepEqual([formatIp(low), formatIp(high)], ['10.0.0.0', '10.1.255.255'])
  const six = parseCidr('2001:db8::/33')
  assert.deepEqual([formatIp(six.low), formatIp(six.high)], ['2001:db8::', '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff'])
  assert.throws(() => parseCidr('1.2.3.4'), { message: 'Expected [ip/prefix] but was [1.2.3.4]' })
  assert.throws(() => parseCidr('1.2.3.4/x'), { type: 'number_format_exception', message: 'For input string: "x"' })
  assert.throws(() => parseCidr('1.2.3.4/33'), {
    message: 'Illegal prefix length [33] in [1.2.3.4/33]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges',
  })
})

test('addresses have neighbours, except at the ends', () => {
  assert.equal(formatIp(nextIp(requireIp('1.2.3.255'))!), '1.2.4.0')
  assert.equal(formatIp(previousIp(requireIp('1.2.4.0'))!), '1.2.3.255')
  assert.equal(previousIp(requireIp('::')), undefined)
  assert.equal(nextIp(requireIp('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')), undefined)
})
