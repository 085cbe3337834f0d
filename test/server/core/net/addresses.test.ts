/** The addresses that the server may connect to. */
import { describe, expect, test } from 'vitest'
import { createAddressFilter, isPublicAddress } from '../../../../server/core/net/addresses.ts'
import { StartError } from '../../../../server/core/start-error.ts'

describe('addresses', () => {
  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '1.2.3',
    '3fff::1',
  ])('%s is not the Internet', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.128.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('a guard with openings', () => {
  const guard = createAddressFilter(['10.1.0.0/16', '192.168.7.7', 'billing.internal', 'Host_2', 'fd00::/8', '[::1]'])

  test.each([
    ['8.8.8.8', 'example.com'],
    ['10.1.255.1', 'a.test'],
    ['192.168.7.7', 'a.test'],
    ['127.0.0.1', 'billing.internal'],
    ['127.0.0.1', 'BILLING.internal.'],
    ['10.9.9.9', 'host_2'],
    ['fd12::1', 'a.test'],
    ['::1', '::1'],
  ])('%s of %s is open', (address, host) => {
    expect(guard(address, host)).toBe(true)
  })

  test.each([
    ['10.2.0.1', 'a.test'],
    ['192.168.7.8', 'a.test'],
    ['127.0.0.1', 'not.billing.internal'],
    ['127.0.0.1', 'billing.internal.evil.test'],
    ['fe80::1', 'a.test'],
    ['::2', '::2'],
    ['', ''],
  ])('%s of %s is not', (address, host) => {
    expect(guard(address, host)).toBe(false)
  })

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.0.0.0/8/8',
    'fd00::/129',
    'a b',
    'http://a.test',
    'a.test/8',
    '',
    '-a',
    '*',
  ])('%j cannot be opened', (entry) => {
    expect(() => createAddressFilter([entry])).toThrow(StartError)
  })
})
