/** Recognizes URLs of videos and embeds them. */
import { isHash, keys } from '../../values/access.ts'
import { escapeHtml, str } from '../../values/text.ts'

interface Video {
  readonly provider: string
  readonly id: string
  readonly embedUrl: string
}

interface Provider {
  readonly name: string
  readonly hosts: RegExp
  /** Matches the path and the query of a URL, such as `/watch?v=…`. The first group is the id of the video. */
  readonly path: RegExp
  readonly embed: (id: string) => string
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'YouTube',
    hosts: /^(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com$/,
    path: /^\/(?:(?:embed|v|e|shorts|live)\/([\w-]{11})(?![\w-])|(?!playlist)\w*\/?\?(?:[^#]*&)?v=([\w-]{11})(?![\w-]))/,
    embed: (id) => `https://www.youtube.com/embed/${id}`,
  },
  {
    name: 'YouTube',
    hosts: /^(?:www\.)?youtu\.be$/,
    path: /^\/([\w-]{11})(?![\w-])/,
    embed: (id) => `https://www.youtube.com/embed/${id}`,
  },
  {
    name: 'Vimeo',
    hosts: /^(?:(?:www|player)\.)?vimeo\.com$/,
    path: /^\/(?:groups\/[^/?]+\/videos\/|(?:ondemand|channels)\/[^/?]+\/|videos?\/)?(\d{1,20})(?!\d)/,
    embed: (id) => `https://player.vimeo.com/video/${id}`,
  },
  {
    name: 'Dailymotion',
    hosts: /^(?:www\.)?dailymotion\.com$/,
    path: /^\/(?:embed\/)?video\/([A-Za-z0-9]{1,20})/,
    embed: (id) => `https://www.dailymotion.com/embed/video/${id}`,
  },
  {
    name: 'Dailymotion',
    hosts: /^dai\.ly$/,
    path: /^\/([A-Za-z0-9]{1,20})/,
    embed: (id) => `https://www.dailymotion.com/embed/video/${id}`,
  },
  {
    name: 'Wistia',
    hosts: /^(?:[a-z0-9-]{1,63}\.){0,2}(?:wistia\.(?:com|net)|wi\.st)$/,
    path: /^\/(?:embed\/)?(?:medias|iframe)\/([A-Za-z0-9]{1,20})/,
    embed: (id) => `https://fast.wistia.net/embed/iframe/${id}`,
  },
]

/** Maximum length of a video URL. */
const MAX_URL = 2000

/** Returns the video with this URL, with or without a scheme; null for other URLs. */
export function findVideo(address: string): Video | null {
  const trimmedAddress = address.trim()
  if (trimmedAddress === '' || trimmedAddress.length > MAX_URL) return null
  const full = /^https?:/i.test(trimmedAddress)
    ? trimmedAddress
    : trimmedAddress.startsWith('//')
      ? `https:${trimmedAddress}`
      : `https://${trimmedAddress}`
  const url = URL.canParse(full) ? new URL(full) : null
  if (url === null) return null
  for (const { name, hosts, path, embed } of PROVIDERS) {
    if (!hosts.test(url.hostname)) continue
    const pathMatch = path.exec(url.pathname + url.search)
    const id = pathMatch?.[1] ?? pathMatch?.[2]
    if (id !== undefined) return { provider: name, id, embedUrl: embed(id) }
  }
  return null
}

/** Attributes that would run a script or replace the content. */
const REFUSED = /^(?:on|srcdoc$|src$)/i

/** Returns the HTML frame of a video, with further attributes. False values and invalid names are omitted. */
export function createFrame(video: Video, options: unknown): string {
  const attributes = new Map([
    ['src', video.embedUrl],
    ['frameborder', '0'],
    ['allowfullscreen', 'allowfullscreen'],
  ])
  for (const name of isHash(options) ? keys(options) : []) {
    if (!/^[a-z][a-z0-9_-]{0,50}$/i.test(name) || REFUSED.test(name)) continue
    const value = isHash(options) ? options[name] : null
    if (value === false || value === null || value === undefined) attributes.delete(name.toLowerCase())
    else attributes.set(name.toLowerCase(), str(value))
  }
  const attributeTexts = [...attributes].map(([name, value]) => `${name}="${escapeHtml(value)}"`)
  return `<iframe ${attributeTexts.join(' ')}></iframe>`
}
