/** Reads the device, system and browser from a User-Agent header, in the language's terms. */

interface UserAgentPattern {
  readonly pattern: RegExp
  readonly name: string
}

const BOT = /([a-z0-9_-]*(?:bot|crawler|spider)[a-z0-9_-]*)/i

const TYPES: readonly UserAgentPattern[] = [
  { pattern: /\b(?:smart-?tv|googletv|appletv|hbbtv|netcast|web0s)\b/i, name: 'tv' },
  { pattern: /\b(?:playstation|xbox|nintendo)\b/i, name: 'console' },
  { pattern: /\bipod\b/i, name: 'portable media player' },
  { pattern: /\b(?:qtcarbrowser|tesla)\b/i, name: 'car browser' },
  { pattern: /\b(?:EK-GC|galaxy camera|coolpix)/i, name: 'camera' },
  { pattern: /\b(?:ipad|tablet|kindle|silk)\b|android(?!.*\bmobile\b)/i, name: 'tablet' },
  { pattern: /\b(?:iphone|ipod|mobile|windows phone)\b/i, name: 'smartphone' },
  { pattern: /\b(?:windows nt|macintosh|x11|cros)\b/i, name: 'desktop' },
]

const SYSTEMS: readonly UserAgentPattern[] = [
  { pattern: /\b(?:iphone|ipad|ipod).* os ([\d_]+)/i, name: 'iOS' },
  { pattern: /\bandroid ([\d.]+)?/i, name: 'Android' },
  { pattern: /\bwindows nt ([\d.]+)/i, name: 'Windows' },
  { pattern: /\bmac os x ([\d_.]+)/i, name: 'Mac' },
  { pattern: /\bcros \S+ ([\d.]+)/i, name: 'Chrome OS' },
  { pattern: /\blinux\b/i, name: 'GNU/Linux' },
]

// Order matters: most browsers also name the browsers that they derive from.
const BROWSERS: readonly UserAgentPattern[] = [
  { pattern: /\bedg(?:e|a|ios)?\/([\d.]+)/i, name: 'Microsoft Edge' },
  { pattern: /\b(?:opr|opera)\/([\d.]+)/i, name: 'Opera' },
  { pattern: /\b(?:firefox|fxios)\/([\d.]+)/i, name: 'Firefox' },
  { pattern: /\b(?:chrome|crios)\/([\d.]+)/i, name: 'Chrome' },
  { pattern: /\bversion\/([\d.]+).*\bsafari\b/i, name: 'Safari' },
]

/** Manufacturers by the beginning of the device's name. */
const BRANDS: readonly UserAgentPattern[] = [
  { pattern: /^(?:iphone|ipad|ipod|macintosh)/i, name: 'Apple' },
  { pattern: /^(?:samsung|galaxy|s[mch]-|gt-|ek-gc)/i, name: 'Samsung' },
  { pattern: /^(?:pixel|nexus)/i, name: 'Google' },
  { pattern: /^(?:xiaomi|redmi|poco|mi )/i, name: 'Xiaomi' },
  { pattern: /^(?:huawei|honor)/i, name: 'Huawei' },
  { pattern: /^(?:oneplus|cph\d)/i, name: 'OnePlus' },
  { pattern: /^(?:moto|xt\d)/i, name: 'Motorola' },
  { pattern: /^nokia/i, name: 'Nokia' },
  { pattern: /^lg[-e]/i, name: 'LG' },
  { pattern: /^(?:sony|xperia|playstation)/i, name: 'Sony' },
  { pattern: /^(?:kindle|kf[a-z]{2,5}$)/i, name: 'Amazon' },
  { pattern: /^(?:xbox|surface)/i, name: 'Microsoft' },
  { pattern: /^nintendo/i, name: 'Nintendo' },
  { pattern: /^coolpix/i, name: 'Nikon' },
]

/** An explicitly named device, or the model that Android reports after its version. */
const NAMED_DEVICE =
  /\b(iphone|ipad|ipod|macintosh|playstation(?: \w+)?|xbox(?: \w+)?|nintendo \w+|kindle(?: fire)?|coolpix \w+)/i
const ANDROID = /\bandroid [\d.]+; (?:\w\w-\w\w; )?([^;)]{2,60}?)(?: build\/[^;)]*)?[;)]/i

/** Returns the fields of `context.device`. Unknown fields are null. */
export function parseUserAgent(userAgent: string): Record<string, unknown> {
  const text = userAgent.slice(0, 512)
  const bot = BOT.exec(text)
  const type = TYPES.find((clue) => clue.pattern.test(text))
  const system = firstMatch(text, SYSTEMS)
  const browser = firstMatch(text, BROWSERS)
  const device = bot === null ? deviceName(text) : null
  return {
    bot: bot !== null,
    bot_name: bot?.[1] ?? null,
    device_brand: device === null ? null : (BRANDS.find((clue) => clue.pattern.test(device))?.name ?? null),
    device_name: device,
    device_type: bot === null ? (type?.name ?? null) : null,
    full_version: browser?.version ?? null,
    known: bot === null && browser !== null,
    name: browser?.name ?? null,
    os_name: system?.name ?? null,
    os_full_version: system?.version?.replaceAll('_', '.') ?? null,
  }
}

function deviceName(text: string): string | null {
  const name = ANDROID.exec(text)?.[1] ?? NAMED_DEVICE.exec(text)?.[1] ?? null
  return name === null ? null : name.trim()
}

function firstMatch(text: string, clues: readonly UserAgentPattern[]): { name: string; version: string | null } | null {
  for (const clue of clues) {
    const match = clue.pattern.exec(text)
    if (match !== null) return { name: clue.name, version: match[1] ?? null }
  }
  return null
}
