/** The hosts that a site answers to, and the host in links that outlive a request. */
import { expect, test } from 'vitest'
import { hostFilter, hostNames, type HostSettings } from '../../../../server/web/http/host-names.ts'

const NAMES = (change: Partial<HostSettings>): ReturnType<typeof hostNames> =>
  hostNames({ isDevelopment: false, hosts: [], host: 'localhost', port: 3000, ...change })

test('a listed name admits every port, unless it has one', () => {
  const is = hostFilter(['shop.example', '*.shop.example:8443', 'web.example:443', '[2001:db8::1]', '[::2]:80'])
  for (const host of [
    'shop.example',
    'SHOP.example:81',
    'a.b.shop.example:8443',
    'web.example',
    'web.example:443',
    '[2001:DB8::1]:9',
    '[2001:db8::1]',
    '[::2]',
  ])
    expect(is(host), host).toBe(true)
  for (const host of [
    'a.shop.example',
    'a.shop.example:8080',
    '.shop.example:8443',
    'evilshop.example',
    'shop.example.evil',
    'web.example:8443',
    '[::2]:81',
    '[::3]',
    '',
  ])
    expect(is(host), host).toBe(false)
})

test('a name that is listed with several ports, or with and without one, admits all of them', () => {
  const is = hostFilter(['a.example:1', 'a.example:2', 'b.example:1', 'b.example'])
  expect(['a.example:1', 'a.example:2', 'a.example:3', 'a.example', 'b.example:3'].map(is)).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
})

test('a site in development answers to this machine, to IP addresses, and to names that are listed', () => {
  const { refusal, lasting } = NAMES({ isDevelopment: true, hosts: ['phone.example', 'tunnel.example:443'] })
  for (const host of [
    'localhost',
    'localhost:3000',
    'LOCALHOST',
    'shop.localhost:3000',
    '127.0.0.1:3000',
    '192.168.178.20:3000',
    '10.0.2.2',
    '[::1]:3000',
    '[fe80::1]',
    'phone.example:3000',
    'tunnel.example',
  ])
    expect(refusal(host), host).toBeNull()
  for (const host of [
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '192.168.178.20.nip.io:3000',
    'tunnel.example:8443',
    '[::1].evil.example',
    '[evil]',
    '',
  ])
    expect(refusal(host), host).toMatch(/INGOT_HOSTS=/)
  expect(refusal('evil.example:3000')).toContain(
    "'evil.example' is not one of them: start the server with INGOT_HOSTS=evil.example",
  )
  expect(lasting('192.168.178.20:3000')).toBe('192.168.178.20:3000')
})

test.each([
  ['no list: the address of the server', {}, 'localhost:3000'],
  ['a server on all addresses', { host: '0.0.0.0', port: 80 }, 'localhost:80'],
  ['a server on one address', { host: '2001:db8::1' }, '[2001:db8::1]:3000'],
  ['a list: its first name', { hosts: ['*.shop.example', 'shop.example:8443'] }, 'shop.example:8443'],
  ['a list of subdomains alone', { hosts: ['*.shop.example'] }, 'localhost:3000'],
] as const)('a host that is not listed is in no link that outlives a request, with %s', (_, change, own) => {
  expect(NAMES(change).lasting('evil.example')).toBe(own)
})

test('without a list every host is answered outside of development, and with one only those', () => {
  expect(NAMES({}).refusal('any.example')).toBeNull()
  const { refusal, lasting } = NAMES({ hosts: ['shop.example'] })
  expect([refusal('shop.example:81'), lasting('shop.example:81')]).toEqual([null, 'shop.example:81'])
  expect(refusal('localhost')).toBe('this site does not answer to that name')
})
