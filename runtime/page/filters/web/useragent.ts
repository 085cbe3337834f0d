/** `useragent`: the browser and system in a User-Agent header. */
import Bowser from 'bowser'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/** Maximum length of the header that is parsed. */
const MAX_LENGTH = 1000

/** The platform's names for browsers and systems that the library names differently. */
const BROWSERS: ReadonlyMap<string, string> = new Map([
  ['Internet Explorer', 'IE'],
  ['Microsoft Edge', 'Edge'],
  ['Samsung Internet for Android', 'Samsung Internet'],
])
const MOBILE: ReadonlyMap<string, string> = new Map([
  ['Chrome', 'Chrome Mobile'],
  ['Firefox', 'Firefox Mobile'],
  ['Safari', 'Mobile Safari'],
  ['Edge', 'Edge Mobile'],
])
const SYSTEMS: ReadonlyMap<string, string> = new Map([['macOS', 'Mac OS X']])

/**
 * A hash of the header `User-Agent`: `family`, `version` (`version`, `major`, `minor`, `patch`), `os` (`family`,
 * `version`) and `device` (`family`, `model`, `brand`). Unknown parts are `Other`, or nil.
 */
export function useragent(useragent_header: Textual): Record<string, unknown> {
  const header = str(useragent_header).slice(0, MAX_LENGTH)
  // The library rejects an empty text, so a space is passed instead.
  const { browser, os, platform } = Bowser.parse(header === '' ? ' ' : header)
  const isMobile = platform.type === 'mobile' || platform.type === 'tablet'
  const name = BROWSERS.get(browser.name ?? '') ?? (browser.name || 'Other')
  const isWindows = os.name === 'Windows'
  // Windows versions are reported by name, because a name does not determine a version number.
  const system = isWindows && os.versionName !== undefined ? `Windows ${os.versionName}` : (os.name ?? 'Other')
  const device = findDevice(header, platform.model ?? null)
  return {
    family: isMobile ? (MOBILE.get(name) ?? name) : name,
    version: splitVersion(browser.version || null),
    os: { family: SYSTEMS.get(system) ?? system, version: isWindows ? null : (os.version ?? null) },
    device: { family: device, model: device, brand: platform.vendor ?? null },
  }
}

function splitVersion(version: string | null): Record<string, string | null> {
  const [major = null, minor = null, patch = null] = version?.split('.') ?? []
  return { version, major, minor, patch }
}

/** Returns the device. Android phones report their model after the version of the system. */
function findDevice(header: string, model: string | null): string {
  const androidMatch = /\bAndroid [\d.]+; ([^;()]+?)(?: Build\/[^;()]*)?[;)]/.exec(header)
  // Privacy-preserving browsers send `K` for every model.
  const androidModel = androidMatch?.[1] === 'K' ? undefined : androidMatch?.[1]
  return model ?? androidModel ?? 'Other'
}
