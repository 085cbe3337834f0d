/**
 * The host names of a site. Any client may send any `Host` header, so a host is used beyond its own answer only where the operator
 * has listed it in `INGOT_HOSTS`.
 */
import { isIPv6 } from 'node:net'

export interface HostNames {
  /** Why requests for a host are refused, as a part of a sentence; null where they are answered. */
  refusal(host: string): string | null
  /**
   * The host for links in everything that outlives the answer, such as mails and jobs: the given one where it is the site's, otherwise
   * the first listed name, otherwise the server's own address.
   */
  lasting(host: string): string
}

/** The settings that host names depend on. */
export interface HostSettings {
  /** In development the site also answers to names of this machine and to IP addresses, and to no other unlisted name. */
  readonly isDevelopment: boolean
  /** Listed names; see `hostFilter`. Outside of development an empty list admits every host. */
  readonly hosts: readonly string[]
  /** Name or address that the server listens on. */
  readonly host: string
  readonly port: number
}

export function hostNames({ isDevelopment, hosts, host: listening, port }: HostSettings): HostNames {
  const isListed = hostFilter(hosts)
  if (isDevelopment) {
    return {
      refusal: (host) => (isSafeInDevelopment(host) || isListed(host) ? null : foreign(host)),
      // Names that others control are refused, so the host is the author's own choice.
      lasting: (host) => host,
    }
  }
  const own = hosts.find((name) => !name.startsWith('*.')) ?? `${hostInUrl(listening)}:${port}`
  if (hosts.length === 0) return { refusal: () => null, lasting: () => own }
  return {
    refusal: (host) => (isListed(host) ? null : 'this site does not answer to that name'),
    lasting: (host) => (isListed(host) ? host : own),
  }
}

/**
 * Whether a host is one of the names. A name with a port needs that port, where 80 and 443 may be left out as browsers do; a name
 * without one admits every port.
 * @param names `shop.example`, `*.shop.example` for its subdomains, `shop.example:8443`, `[2001:db8::1]`
 */
export function hostFilter(names: readonly string[]): (host: string) => boolean {
  const whole = new Map<string, Set<string> | null>()
  for (const entry of names) {
    const { name, port } = split(entry)
    const known = whole.get(name)
    if (port === '' || known === null) whole.set(name, null)
    else whole.set(name, new Set([...(known ?? []), port, ...(port === '80' || port === '443' ? [''] : [])]))
  }
  const ends = [...whole.keys()].flatMap((name) => (name.startsWith('*.') ? [name.slice(1)] : []))
  const admits = (entry: string, port: string): boolean => {
    const ports = whole.get(entry)
    return ports === null || ports?.has(port) === true
  }
  return (host) => {
    const { name, port } = split(host)
    return (
      admits(name, port) ||
      ends.some((end) => name.endsWith(end) && name.length > end.length && admits(`*${end}`, port))
    )
  }
}

/** `port` is '' without one. */
function split(host: string): { readonly name: string; readonly port: string } {
  const colon = host.lastIndexOf(':')
  if (colon < 0 || host.endsWith(']')) return { name: host.toLowerCase(), port: '' }
  return { name: host.slice(0, colon).toLowerCase(), port: host.slice(colon + 1) }
}

const OWN_NAME = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i
const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/

/** Whether a host names the machine itself. */
export function isOwnName(host: string): boolean {
  return OWN_NAME.test(host)
}

/**
 * Against DNS rebinding, by which a page on the web makes its own name resolve to this machine and then reads the site. An IP address
 * is not resolved, so a browser that sends one shows a page of that address.
 */
function isSafeInDevelopment(host: string): boolean {
  if (isOwnName(host)) return true
  const { name } = split(host)
  return IPV4.test(name) || (name.startsWith('[') && isIPv6(name.slice(1, -1)))
}

function foreign(host: string): string {
  const { name } = split(host)
  return `a site in development answers to names of its own machine, to IP addresses and to names in INGOT_HOSTS, and '${name}' is not one of them: start the server with INGOT_HOSTS=${name} if that name is yours`
}

/** The host for URLs that lead to a server. @param host that it listens on */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
