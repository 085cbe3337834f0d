/** Headers of answers as settings write them: the text of a JSON object, or a mapping. */
import { responseHeaders } from '../diagnostics/codes/response-headers.ts'
import type { YamlNode } from '../source/yaml.ts'
import { hasLiquid } from './liquid-text.ts'
import type { Reporter } from './setting.ts'

/** Headers that the server keeps for itself. */
const KEPT: ReadonlySet<string> = new Set(['cache-control', 'etag', 'set-cookie', 'x-request-id', 'x-xss-protection'])

/** Reports headers that can never be sent. A text with Liquid is only known when it is rendered. */
export function checkHeaders(node: YamlNode | null, report: Reporter): void {
  if (node === null) return
  if (node.kind === 'map') {
    for (const entry of node.entries) {
      if (KEPT.has(entry.key.toLowerCase())) report.add(responseHeaders(entry.keySpan, keptBy(entry.key)))
    }
    return
  }
  if (node.kind === 'list') return
  const problem = headersProblem(node.text)
  if (problem !== null) report.add(responseHeaders(node.span, problem))
}

/** What keeps a text from being headers, as a part of a sentence; null for right ones, blank ones and ones with Liquid. */
export function headersProblem(text: string): string | null {
  if (text.trim() === '' || hasLiquid(text)) return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the text is not JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the JSON is not an object'
  const kept = Object.keys(value).find((name) => KEPT.has(name.toLowerCase()))
  return kept === undefined ? null : keptBy(kept)
}

function keptBy(name: string): string {
  return `the server sets \`${name}\` itself`
}
