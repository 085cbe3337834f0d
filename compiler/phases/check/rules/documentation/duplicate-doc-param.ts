/** `duplicate-doc-param`: one parameter documented twice. */
import type { Span } from '../../../../core/source/span.ts'
import { cardSite } from '../../../../core/diagnostics/card-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { DocParam } from '../../../../core/model/unit.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a parameter whose name an earlier one has. `first`: the first parameter with this name; undefined if there is none. */
export function checkDuplicateParam(walk: Walk, { name, span }: DocParam, first: DocParam | undefined): void {
  if (first !== undefined) walk.report(duplicateDocParam(span, name, first.span))
}

export const duplicateDocParam = message(
  'duplicate-doc-param',
  'warning',
  'UniqueDocParamNames',
  (name: string, firstSpan: Span) => ({
    text: `The parameter ${quote(name)} is declared twice.`,
    change: { edits: [{ target: 'entry', text: '' }], safe: true },
    related: [{ span: firstSpan, message: 'it is declared here first' }],
  }),
  {
    wrong: cardSite({ doc: '  @param {string} title - a\n  @param {string} title - b' }),
    right: cardSite({ doc: '  @param {string} title - a' }),
  },
)
