/** `single-quoted-braces`: `{{ }}` inside a string in single quotes, where it is not replaced by a value. */
import type { FilterCall, Literal } from '../../../../core/tree/ast.ts'
import { docParams } from '../../walk/facts.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const singleQuotedBraces = message(
  'single-quoted-braces',
  'warning',
  'LiquidHTMLSyntaxError',
  (braces: string, on: boolean) => ({
    text: `${quote(braces)} is not replaced by a value, because the string is in single quotes.`,
    hint: on
      ? 'Use double quotes.'
      : 'Use the filter `append`, or use double quotes and set `string_interpolation: true` in `app/config.yml`.',
    change: on ? { edits: [{ match: `^'([^"]*)'$`, text: '"$1"' }] } : undefined,
  }),
  {
    wrong: `{% assign id = context.params.id %}{% log 'chat {{ id }}' %}`,
    right: {
      'app/config.yml': `string_interpolation: true
`,
      'app/views/pages/index.liquid': `{% assign id = context.params.id %}{% log "chat {{ id }}" %}`,
    },
  },
)

/** Filters that only join texts. Arguments of other filters may be a template, or a part of one (`replace: '{{ name }}'`). */
const JOINING_FILTERS: ReadonlySet<string> = new Set('append prepend default t translate'.split(' '))

/** Tags that print texts, which may be Liquid source, and tags that compare. */
const PRINTING_TAGS: ReadonlySet<string> = new Set(['echo', 'print', 'case', 'when', 'if', 'unless', 'elsif'])

const BRACES = /\{\{-?\s*([a-z_]\w*)\b[^{}]*\}\}/gi

/** Returns whether a filter may fill in braces of its input or arguments. */
export function takesBraces({ name }: FilterCall): boolean {
  return !JOINING_FILTERS.has(name.name)
}

/** Records a single-quoted text with braces around a name that this template sets or reads. */
export function noteBraces(walk: Walk, { value, span }: Literal): void {
  if (!walk.platform || walk.flow.dead || value.type !== 'string' || !value.value.includes('{{')) return
  if (walk.findings.fillsBraces()) return
  // The parser reports braces in double quotes.
  if (walk.source(span)[0] !== "'") return
  if (PRINTING_TAGS.has(walk.source(walk.flow.span).match(/[a-z_]+/)?.[0] ?? '')) return
  for (const [braces, name] of value.value.matchAll(BRACES)) {
    if (name === undefined || !isKnown(walk, name)) continue
    // The variable counts as read, because the author meant to read it.
    walk.reads.used.add(name)
    walk.findings.addBraces(span, braces)
  }
}

/** Reports the recorded texts, unless the template fills in braces itself. */
export function reportBraces(walk: Walk): void {
  for (const { span, braces } of walk.findings.braces)
    walk.report(singleQuotedBraces(span, braces, walk.env.site.config.stringInterpolation))
}

function isKnown(walk: Walk, name: string): boolean {
  return (
    walk.isSet(name) ||
    walk.env.params?.has(name) === true ||
    walk.siteTemplate.outline.reads.has(name) ||
    walk.siteTemplate.outline.counters.has(name) ||
    docParams(walk.siteTemplate.template).some((param) => param.name === name) ||
    walk.possibleKeys(name) !== null
  )
}
