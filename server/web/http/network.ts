/** Groups addresses by client, for limits that count clients. */

/** Returns an IPv4 address unchanged, or the first 64 bits of an IPv6 address, which one customer usually gets. */
export function network(address: string): string {
  // IPv4 addresses are the common case.
  if (!address.includes(':')) return address
  const bareName = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bareName)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = bareName.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(gap).fill('0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
