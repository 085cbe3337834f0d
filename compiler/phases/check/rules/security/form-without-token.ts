/** `form-without-token`: a form that changes data but does not send the authenticity token. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { Site } from '../../../../core/model/site.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { SourceFile } from '../../../../core/source/file.ts'
import { derived } from '../../../../core/model/derived.ts'

export const formWithoutToken = message(
  'form-without-token',
  'warning',
  'WS28',
  () => ({
    text: 'This form sends no `authenticity_token`, so the page that receives it runs without the session: no user is signed in.',
    hint: 'Write `<input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">` inside the form.',
    change: {
      edits: [
        {
          match: '$',
          text: '<input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">',
        },
      ],
    },
  }),
  {
    wrong: '<form action="/notes" method="post"><button>Add</button></form>',
    right:
      '<form action="/notes" method="post"><input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}"><button>Add</button></form>',
    both: { 'app/views/pages/notes.liquid': '---\nslug: notes\nmethod: post\n---\n' },
  },
)

const hasForms = derived(({ text }: SourceFile) => /<form\b/.test(text))
const HTML_KINDS: ReadonlySet<string> = new Set(['page', 'layout', 'partial'])
/** Markup in which a form has no effect: comments, raw text and scripts. */
const IGNORED_MARKUP =
  /<!--[\s\S]*?-->|\{%-?\s*(comment|raw|doc)\b[\s\S]*?\{%-?\s*end\1\s*-?%\}|<(script|style|pre|textarea)\b[\s\S]*?<\/\2>/g
const FORM = /<form\b((?:\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|"[^"]*"|'[^']*'|[^>"'])*)>([\s\S]*?)<\/form/g
const CHANGING_METHOD = /\bmethod\s*=\s*["']?\s*(?:post|put|patch|delete)\b/i
const ACTION = /(?:^|\s)action\s*=\s*(["']?)\s*(\{\{[^}]*\}\}|[^\s"'>]*)/i
/** An attribute by which a script sends the form. */
const SCRIPT_ATTRIBUTE = /(?:^|\s)(?:onsubmit|@|x-on:|hx-|data-remote|data-ajax|v-on:)/i
const TOKEN = /authenticity_token|csrf/i
/** An `<input>` element. */
const INPUT = /<input\b(?:\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|"[^"]*"|'[^']*'|[^>"'])*>/gi
const NAME = /(?:^|\s)name\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i
const CALL = /\b(?:render|include|include_form|theme_render_rc|yield|function|content_for)\b\s*(?:(["'])([^"']*)\1)?/g
/** Output of unescaped markup, which may contain the token. */
const UNESCAPED_OUTPUT = /html_safe|\bprint\b/

/** Reports the forms of HTML templates that are sent to the site itself with a method that changes data, and do not print the token. */
export function checkFormTokens({ site, siteTemplates }: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const siteTemplate of siteTemplates) {
    if (siteTemplate.inner === null && hasForms(siteTemplate.unit.file))
      diagnostics.push(...formsWithoutToken(site, siteTemplate))
  }
  return diagnostics
}

function formsWithoutToken(site: Site, { unit, template }: SiteTemplate): readonly Diagnostic[] {
  const { path, kind, text } = unit.file
  if (!HTML_KINDS.has(kind) || template.isBroken) return []
  if (unit.settings.kind === 'page') {
    const { format, converter } = unit.settings
    if (format !== 'html' || converter !== null) return []
  }
  const visibleText = text.replace(IGNORED_MARKUP, (each) => ' '.repeat(each.length))
  const diagnostics: Diagnostic[] = []
  for (const match of visibleText.matchAll(FORM)) {
    const [, attributes = '', body = ''] = match
    if (
      !CHANGING_METHOD.test(attributes) ||
      SCRIPT_ATTRIBUTE.test(attributes) ||
      !isSiteUrl(ACTION.exec(attributes)?.[2] ?? '')
    )
      continue
    if (TOKEN.test(attributes) || hasToken(site, body, new Set())) continue
    const start = match.index
    diagnostics.push(formWithoutToken({ file: path, start, end: start + '<form'.length + attributes.length + 1 }))
  }
  return diagnostics
}

/** Returns whether a field certainly has another name than the token's field. */
function isOtherField(input: string): boolean {
  const [, double, single, bareName] = NAME.exec(input) ?? []
  const name = double ?? single ?? bareName
  return name !== undefined && name !== 'authenticity_token' && !name.includes('{')
}

/** Returns whether a form is certainly sent to the site itself. */
function isSiteUrl(action: string): boolean {
  return (
    action === '' || /^\/(?!\/)/.test(action) || /^\{\{-?\s*context\.location\.(?:pathname|url|href)\b/.test(action)
  )
}

/** Returns whether a part of a form prints the token or may print it, also through the partials that it calls. */
function hasToken(site: Site, text: string, visitedFiles: Set<string>): boolean {
  // The service only reads the token from the field with its exact name.
  const textWithoutOtherFields = text.replace(INPUT, (input) => (isOtherField(input) ? '' : input))
  if (TOKEN.test(textWithoutOtherFields) || UNESCAPED_OUTPUT.test(text)) return true
  for (const [, , name] of text.matchAll(CALL)) {
    const unit = name === undefined ? undefined : site.partials.get(name)
    if (unit === undefined) return true
    if (visitedFiles.has(unit.file.path)) continue
    visitedFiles.add(unit.file.path)
    if (hasToken(site, unit.file.text, visitedFiles)) return true
  }
  return false
}
