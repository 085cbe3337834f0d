/** Who asks from this very machine: only they may name other servers that run on it, which nobody else reaches. */
import type { AddressFilter } from '../net/addresses.ts'
import { headerOf, type Request } from '../http/message.ts'

/** What proxies add, behind which everyone would seem to be on this machine. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/** Whether a request was made on this machine, to an address of it. */
export function asksFromHere(request: Request): boolean {
  const { ip, host } = request
  const named = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  const isNamed = named === 'localhost' || isOwn(named.replace(/^\[|\]$/g, ''))
  return isOwn(ip) && isNamed && FORWARDED.every((name) => headerOf(request, name) === '')
}

/** Opens the addresses that only this machine reaches. */
export function withOwn(reachable: AddressFilter): AddressFilter {
  return (address, host) => isOwn(address) || reachable(address, host)
}

function isOwn(address: string): boolean {
  return /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i.test(address)
}
