/** Checks response headers in settings: JSON text or a mapping. */
import { keptHeader } from '../../core/diagnostics/codes/settings/kept-header.ts'
import { responseHeaders } from '../../core/diagnostics/codes/site/response-headers.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { hasLiquid } from './liquid-text.ts'
import type { Reporter } from './setting.ts'

/** Headers that only the server may set. */
const SERVER_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'etag',
  'set-cookie',
  'x-request-id',
  'x-xss-protection',
])

/** Reports invalid headers, and headers that the server sets itself. Text with Liquid is known only when it is rendered. */
export function checkHeaders(node: YamlNode | null, report: Reporter): void {
  if (node === null) return
  if (node.kind === 'map') {
    for (const entry of node.entries) if (isServerHeader(entry.key)) report.add(keptHeader(entry.keySpan, entry.key))
    return
  }
  if (node.kind === 'list' || node.text.trim() === '' || hasLiquid(node.text)) return
  const headers = parseHeaders(node.text)
  if (typeof headers === 'string') return report.add(responseHeaders(node.span, headers))
  for (const name of Object.keys(headers)) if (isServerHeader(name)) report.add(keptHeader(node.span, name))
}

/** Parses headers from JSON text. Otherwise returns the reason as a phrase. */
function parseHeaders(text: string): object | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the text is not JSON'
  }
  return typeof value !== 'object' || value === null || Array.isArray(value) ? 'the JSON is not an object' : value
}

function isServerHeader(name: string): boolean {
  return SERVER_HEADERS.has(name.trim().toLowerCase())
}
