/** `doc-param-default`: a required parameter that is read with `default`. */
import type { Span } from '../../../../core/source/span.ts'
import { cardSite } from '../../../../core/diagnostics/card-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { DocParam } from '../../../../core/model/unit.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a required parameter that the partial reads with `default`. */
export function checkDefault(walk: Walk, { name, required, span }: DocParam): void {
  const defaulted = walk.reads.free.get(name)?.defaulted ?? null
  if (required && defaulted !== null) walk.report(docParamDefault(defaulted, name, span))
}

export const docParamDefault = message(
  'doc-param-default',
  'warning',
  'RequiredDocParamWithDefault',
  (name: string, declarationSpan: Span) => ({
    text: `${quote(name)} is declared as required, but it is read with \`default\`.`,
    hint: `If the parameter is optional, declare it as \`[${name}]\`.`,
    change: { edits: [{ span: declarationSpan, part: name, text: `[${name}]` }], safe: true },
    related: [{ span: declarationSpan, message: 'the parameter is declared here' }],
  }),
  {
    wrong: cardSite({ doc: '  @param {string} title - a', body: `{{ title | default: 'y' }}` }),
    right: cardSite({ doc: '  @param {string} [title] - a', body: `{{ title | default: 'y' }}` }),
  },
)
