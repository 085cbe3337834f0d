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

const privateRanges = new BlockList()
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
  privateRanges.addSubnet(address, Number(bits), 'ipv4')
}
// Public IPv6 addresses start with these three bits, except for ranges that are tunnelled to IPv4 or unassigned.
const publicIpv6 = new BlockList()
publicIpv6.addSubnet('2000::', 3, 'ipv6')
const reservedIpv6 = new BlockList()
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  reservedIpv6.addSubnet(address, bits, 'ipv6')
}

/** Whether an address is public: not this machine, a private network, or a cloud's metadata service. */
export function isPublicAddress(address: string): boolean {
  const addressWithoutZone = address.replace(/%.*$/, '')
  if (isIPv4(addressWithoutZone)) return !privateRanges.check(addressWithoutZone, 'ipv4')
  if (isIP(addressWithoutZone) !== 6) return false
  return publicIpv6.check(addressWithoutZone, 'ipv6') && !reservedIpv6.check(addressWithoutZone, 'ipv6')
}

const NAME = /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*$/i

/**
 * A filter that allows public addresses and listed ones: host names, addresses, and networks such as `10.1.0.0/16`.
 * @throws StartError for an invalid entry
 */
export function createAddressFilter(outgoing: readonly string[]): AddressFilter {
  const allowedHosts = new Set<string>()
  const allowedRanges = new BlockList()
  for (const entry of outgoing) {
    const [address = '', bits, ...rest] = entry.replace(/^\[|\]$/g, '').split('/')
    const family = isIP(address)
    const width = family === 4 ? 32 : 128
    const length = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (family !== 0 && rest.length === 0 && length <= width) {
      allowedRanges.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
    } else if (family === 0 && bits === undefined && NAME.test(address)) allowedHosts.add(address.toLowerCase())
    else {
      throw new StartError(
        `The variable INGOT_OUTGOING cannot contain '${entry}': give host names, IP addresses, or networks such as 10.1.0.0/16.`,
      )
    }
  }
  return (address, host) => {
    if (isPublicAddress(address) || allowedHosts.has(host.toLowerCase().replace(/\.$/, ''))) return true
    const addressWithoutZone = address.replace(/%.*$/, '')
    const family = isIP(addressWithoutZone)
    return family !== 0 && allowedRanges.check(addressWithoutZone, family === 4 ? 'ipv4' : 'ipv6')
  }
}
