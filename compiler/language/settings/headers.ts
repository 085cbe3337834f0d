/** Headers of answers as settings write them: the text of a JSON object, or a mapping. */
import { keptHeader } from '../../core/diagnostics/codes/settings/kept-header.ts'
import { responseHeaders } from '../../core/diagnostics/codes/site/response-headers.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { hasLiquid } from './liquid-text.ts'
import type { Reporter } from './setting.ts'

/** Headers that the server keeps for itself. */
const SERVER_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'etag',
  'set-cookie',
  'x-request-id',
  'x-xss-protection',
])

/** Reports headers that can never be sent, and those that answers have anyway. A text with Liquid is only known when it is rendered. */
export function checkHeaders(node: YamlNode | null, report: Reporter): void {
  if (node === null) return
  if (node.kind === 'map') {
    for (const entry of node.entries) if (isServerHeader(entry.key)) report.add(keptHeader(entry.keySpan, entry.key))
    return
  }
  if (node.kind === 'list' || node.text.trim() === '' || hasLiquid(node.text)) return
  const headers = headersOf(node.text)
  if (typeof headers === 'string') return report.add(responseHeaders(node.span, headers))
  for (const name of Object.keys(headers)) if (isServerHeader(name)) report.add(keptHeader(node.span, name))
}

/** The headers that a text is the JSON of; what keeps it from being that, as a part of a sentence. */
function headersOf(text: string): object | string {
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
