/**
 * Decides which addresses the server may connect to: public ones, and those of the private network that the settings
 * allow.
 */
import { BlockList, isIP, isIPv4 } from 'node:net'
import { StartError } from '../start-error.ts'

/**
 * Whether an address may be connected to.
 * @param address IPv4 or IPv6, resolved or literal
 * @param host as in the URL, without brackets
 */
export type AddressFilter = (address: string, host: string) => boolean

const closed = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [address = '', bits] = range.split('/')
  closed.addSubnet(address, Number(bits), 'ipv4')
}
// Public IPv6 addresses start with these three bits; excepted are ranges that are tunnelled to IPv4 or unassigned.
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')
const closed6 = new BlockList()
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  closed6.addSubnet(address, bits, 'ipv6')
}

/** Whether an address is public: not this machine, a private network, or a cloud's metadata service. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (isIPv4(plain)) return !closed.check(plain, 'ipv4')
  if (isIP(plain) !== 6) return false
  return open6.check(plain, 'ipv6') && !closed6.check(plain, 'ipv6')
}

const NAME = /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*$/i

/**
 * A filter that allows public addresses and listed ones: host names, addresses, and networks such as `10.1.0.0/16`.
 * @throws StartError for an invalid entry
 */
export function guardOf(outgoing: readonly string[]): AddressFilter {
  const names = new Set<string>()
  const opened = new BlockList()
  for (const entry of outgoing) {
    const [address = '', bits, ...rest] = entry.replace(/^\[|\]$/g, '').split('/')
    const family = isIP(address)
    const width = family === 4 ? 32 : 128
    const length = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (family !== 0 && rest.length === 0 && length <= width) {
      opened.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
    } else if (family === 0 && bits === undefined && NAME.test(address)) names.add(address.toLowerCase())
    else {
      throw new StartError(
        `The variable INGOT_OUTGOING cannot hold '${entry}': give names of hosts, addresses, and networks such as 10.1.0.0/16.`,
      )
    }
  }
  return (address, host) => {
    if (isPublicAddress(address) || names.has(host.toLowerCase().replace(/\.$/, ''))) return true
    const plain = address.replace(/%.*$/, '')
    const family = isIP(plain)
    return family !== 0 && opened.check(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
}
