/**
 * Devices that signed in before: a cookie that only says so, and gives no access. Failed sign-ins by strangers lock an
 * account for strangers; a known device is counted by itself.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export const DEVICE_COOKIE = '_ingot_device'

/** Seconds for which a device stays known without signing in again. */
export const DEVICE_LIFETIME = 400 * 86_400

/** Accounts that a device remembers; families share one. */
const MAX_ACCOUNTS = 5
/** An id and a signature for each account, the latest first. */
const VALUE = /^([\w-]{22})((?:\.[\w-]{22}){1,5})$/

export interface Devices {
  /**
   * The id of a device that has signed in to an account before; null for others.
   * @param cookie as the browser sent it
   */
  known(cookie: string | null, account: string): string | null
  /** The cookie of a device that now signs in to an account. */
  remember(cookie: string | null, account: string): string
}

/** @param secret of the installation */
export function createDevices(secret: string): Devices {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot devices', 32))
  const signed = (id: string, account: string): string =>
    createHmac('sha256', key)
      .update(`${id}\n${accountName(account)}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url')

  return {
    known(cookie, account) {
      const device = read(cookie)
      if (device === null) return null
      const own = signed(device.id, account)
      return device.signatures.some((each) => sameText(each, own)) ? device.id : null
    },
    remember(cookie, account) {
      const device = read(cookie) ?? { id: randomBytes(16).toString('base64url'), signatures: [] }
      const own = signed(device.id, account)
      const others = device.signatures.filter((each) => !sameText(each, own))
      return [device.id, own, ...others].slice(0, 1 + MAX_ACCOUNTS).join('.')
    },
  }
}

/** An account as visitors type it: without regard to case and to spaces around it. */
export function accountName(account: string): string {
  return account.trim().toLowerCase().slice(0, 320)
}

function read(cookie: string | null): { readonly id: string; readonly signatures: readonly string[] } | null {
  const [, id, signatures] = VALUE.exec(cookie ?? '') ?? []
  return id === undefined || signatures === undefined ? null : { id, signatures: signatures.slice(1).split('.') }
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
