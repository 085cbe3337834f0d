/**
 * The host names of a site. Any client may send any `Host` header. Outside the answer itself, a host is used only if the
 * operator has listed it in `INGOT_HOSTS`.
 */
import { isIPv6 } from 'node:net'

export interface HostNames {
  /** Returns why requests for a host are refused, as a part of a sentence; null when they are answered. */
  refusal(host: string): string | null
  /**
   * Returns the host for links in everything that outlives the answer, such as mails and jobs: the given host if it is
   * the site's, otherwise the first listed name, otherwise the server's own address.
   */
  lasting(host: string): string
}

/** The settings that host names depend on. */
export interface HostSettings {
  /** In development, names of this machine and IP addresses are also admitted, but no other unlisted name. */
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
      refusal: (host) => (isSafeInDevelopment(host) || isListed(host) ? null : foreignHostMessage(host)),
      // Names that others control are refused, so the developer has chosen this host.
      lasting: (host) => host,
    }
  }
  const defaultHost = hosts.find((name) => !name.startsWith('*.')) ?? `${hostInUrl(listening)}:${port}`
  if (hosts.length === 0) return { refusal: () => null, lasting: () => defaultHost }
  return {
    refusal: (host) => (isListed(host) ? null : 'this site does not answer to that name'),
    lasting: (host) => (isListed(host) ? host : defaultHost),
  }
}

/**
 * Returns a function that checks whether a host is one of the names. A name with a port admits only that port; 80 and 443
 * may be omitted, as browsers do. A name without a port admits every port.
 * @param names `shop.example`, `*.shop.example` for its subdomains, `shop.example:8443`, `[2001:db8::1]`
 */
export function hostFilter(names: readonly string[]): (host: string) => boolean {
  const exactNames = new Map<string, Set<string> | null>()
  for (const entry of names) {
    const { name, port } = splitHost(entry)
    const knownPorts = exactNames.get(name)
    if (port === '' || knownPorts === null) exactNames.set(name, null)
    else exactNames.set(name, new Set([...(knownPorts ?? []), port, ...(port === '80' || port === '443' ? [''] : [])]))
  }
  const suffixes = [...exactNames.keys()].flatMap((name) => (name.startsWith('*.') ? [name.slice(1)] : []))
  const admits = (entry: string, port: string): boolean => {
    const ports = exactNames.get(entry)
    return ports === null || ports?.has(port) === true
  }
  return (host) => {
    const { name, port } = splitHost(host)
    return (
      admits(name, port) ||
      suffixes.some((end) => name.endsWith(end) && name.length > end.length && admits(`*${end}`, port))
    )
  }
}

/** Splits a host into name and port; the port is '' when missing. */
function splitHost(host: string): { readonly name: string; readonly port: string } {
  const colon = host.lastIndexOf(':')
  if (colon < 0 || host.endsWith(']')) return { name: host.toLowerCase(), port: '' }
  return { name: host.slice(0, colon).toLowerCase(), port: host.slice(colon + 1) }
}

const OWN_NAME = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i
const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/

/** Returns whether a host names the machine itself. */
export function isOwnName(host: string): boolean {
  return OWN_NAME.test(host)
}

/**
 * Returns whether a host is safe against DNS rebinding, by which a page on the web makes its own name resolve to this
 * machine and then reads the site. IP addresses are not resolved, so they are safe.
 */
function isSafeInDevelopment(host: string): boolean {
  if (isOwnName(host)) return true
  const { name } = splitHost(host)
  return IPV4.test(name) || (name.startsWith('[') && isIPv6(name.slice(1, -1)))
}

function foreignHostMessage(host: string): string {
  const { name } = splitHost(host)
  return `a site in development answers to names of its own machine, to IP addresses and to names in INGOT_HOSTS, and '${name}' is not one of them: start the server with INGOT_HOSTS=${name} if that name is yours`
}

/**
 * Returns the host for URLs that lead to a server.
 * @param host name or address that the server listens on
 */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
