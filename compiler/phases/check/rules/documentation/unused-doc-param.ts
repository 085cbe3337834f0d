/** `unused-doc-param`: a declared parameter that the partial never reads. */
import { cardSite } from '../../../../core/diagnostics/card-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { DocParam } from '../../../../core/model/unit.ts'
import type { Walk } from '../../walk/walk.ts'

/** Returns whether a partial never reads a declared parameter. */
export function isUnread(walk: Walk, name: string): boolean {
  return !walk.reads.free.has(name) && !walk.reads.used.has(name)
}

/** Reports an unread parameter. `isMisspelled`: the partial reads a similar undeclared name, which is reported instead. */
export function checkUnused(walk: Walk, { name, span }: DocParam, isMisspelled: boolean): void {
  if (isUnread(walk, name) && !walk.reads.readsAll && !isMisspelled)
    walk.findings.reportMissing(unusedDocParam(span, name))
}

export const unusedDocParam = message(
  'unused-doc-param',
  'warning',
  'UnusedDocParam',
  (name: string) => ({
    subject: { kind: 'parameter', name },
    text: `The declared parameter ${quote(name)} is never read.`,
    change: { edits: [{ target: 'entry', text: '' }] },
  }),
  {
    wrong: cardSite({ doc: '  @param {string} title - a\n  @param {string} [note] - b' }),
    right: cardSite({ doc: '  @param {string} title - a' }),
  },
)
