/**
 * Remembers devices that signed in before. The device cookie identifies a device but gives no access. Failed sign-ins
 * from unknown devices lock an account for unknown devices only, because each known device has its own counter.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export const DEVICE_COOKIE = '_ingot_device'

/** Seconds for which a device stays known without another sign-in. */
export const DEVICE_LIFETIME = 400 * 86_400

/** Maximum number of accounts that a device remembers. There is more than one because families share devices. */
const MAX_ACCOUNTS = 5
/** The device id and one signature per account, newest first. */
const COOKIE_FORMAT = /^([\w-]{22})((?:\.[\w-]{22}){1,5})$/

export interface Devices {
  /**
   * Returns the id of a device that has signed in to an account before, or null.
   * @param cookie the cookie value as the browser sent it
   */
  findKnownDevice(cookie: string | null, account: string): string | null
  /** Returns the new cookie value of a device that signs in to an account. */
  remember(cookie: string | null, account: string): string
}

/**
 * Creates the functions that read and write device cookies.
 * @param secret the installation's secret
 */
export function createDevices(secret: string): Devices {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot devices', 32))
  const sign = (id: string, account: string): string =>
    createHmac('sha256', key)
      .update(`${id}\n${normalizeAccount(account)}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url')

  return {
    findKnownDevice(cookie, account) {
      const device = parseCookie(cookie)
      if (device === null) return null
      const expected = sign(device.id, account)
      return device.signatures.some((each) => sameText(each, expected)) ? device.id : null
    },
    remember(cookie, account) {
      const device = parseCookie(cookie) ?? { id: randomBytes(16).toString('base64url'), signatures: [] }
      const signature = sign(device.id, account)
      const otherSignatures = device.signatures.filter((each) => !sameText(each, signature))
      return [device.id, signature, ...otherSignatures].slice(0, 1 + MAX_ACCOUNTS).join('.')
    },
  }
}

/** Normalizes an account name typed by a visitor: ignores case and surrounding spaces. */
export function normalizeAccount(account: string): string {
  return account.trim().toLowerCase().slice(0, 320)
}

function parseCookie(cookie: string | null): { readonly id: string; readonly signatures: readonly string[] } | null {
  const [, id, signatures] = COOKIE_FORMAT.exec(cookie ?? '') ?? []
  return id === undefined || signatures === undefined ? null : { id, signatures: signatures.slice(1).split('.') }
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
