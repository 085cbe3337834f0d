/** Forms that change something and do not send the token by which the service knows who sends them. */
import { formWithoutToken } from '../../../core/diagnostics/codes/security/form-without-token.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Piece } from '../piece.ts'

const KINDS: ReadonlySet<string> = new Set(['page', 'layout', 'partial'])
/** What no browser reads as a form. */
const NOT_READ =
  /<!--[\s\S]*?-->|\{%-?\s*(comment|raw|doc)\b[\s\S]*?\{%-?\s*end\1\s*-?%\}|<(script|style|pre|textarea)\b[\s\S]*?<\/\2>/g
const FORM = /<form\b((?:\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|"[^"]*"|'[^']*'|[^>"'])*)>([\s\S]*?)<\/form/g
const CHANGES = /\bmethod\s*=\s*["']?\s*(?:post|put|patch|delete)\b/i
const ACTION = /(?:^|\s)action\s*=\s*(["']?)\s*(\{\{[^}]*\}\}|[^\s"'>]*)/i
/** A script sends it, in its own way. */
const BY_SCRIPT = /(?:^|\s)(?:onsubmit|@|x-on:|hx-|data-remote|data-ajax|v-on:)/i
const TOKEN = /authenticity_token|csrf/i
/** An element that sends a value. */
const INPUT = /<input\b(?:\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|"[^"]*"|'[^']*'|[^>"'])*>/gi
const NAME = /(?:^|\s)name\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i
const CALL = /\b(?:render|include|include_form|theme_render_rc|yield|function|content_for)\b\s*(?:(["'])([^"']*)\1)?/g
/** Markup that is not written here. */
const MARKUP = /html_safe|\bprint\b/

export function checkFormTokens(site: Site, { unit, template }: Piece): readonly Diagnostic[] {
  const { path, kind, text } = unit.file
  if (!KINDS.has(kind) || template.broken) return []
  if (unit.settings.kind === 'page') {
    const { format, converter } = unit.settings
    if (format !== 'html' || converter !== null) return []
  }
  const read = text.replace(NOT_READ, (each) => ' '.repeat(each.length))
  const diagnostics: Diagnostic[] = []
  for (const found of read.matchAll(FORM)) {
    const [, attributes = '', body = ''] = found
    if (!CHANGES.test(attributes) || BY_SCRIPT.test(attributes) || !isOwn(ACTION.exec(attributes)?.[2] ?? '')) continue
    if (TOKEN.test(attributes) || hasToken(site, body, new Set())) continue
    const start = found.index
    diagnostics.push(formWithoutToken({ file: path, start, end: start + '<form'.length + attributes.length + 1 }))
  }
  return diagnostics
}

/** Whether a field surely has another name than that of the token. */
function isOtherField(input: string): boolean {
  const [, double, single, bare] = NAME.exec(input) ?? []
  const name = double ?? single ?? bare
  return name !== undefined && name !== 'authenticity_token' && !name.includes('{')
}

/** Whether a form goes to the site itself, for certain. */
function isOwn(action: string): boolean {
  return (
    action === '' || /^\/(?!\/)/.test(action) || /^\{\{-?\s*context\.location\.(?:pathname|url|href)\b/.test(action)
  )
}

/** Whether a part of a form prints the token, or may do so. */
function hasToken(site: Site, text: string, seen: Set<string>): boolean {
  // The service reads the token by its own name alone.
  const left = text.replace(INPUT, (input) => (isOtherField(input) ? '' : input))
  if (TOKEN.test(left) || MARKUP.test(text)) return true
  for (const [, , name] of text.matchAll(CALL)) {
    const unit = name === undefined ? undefined : site.partials.get(name)
    if (unit === undefined) return true
    if (seen.has(unit.file.path)) continue
    seen.add(unit.file.path)
    if (hasToken(site, unit.file.text, seen)) return true
  }
  return false
}
