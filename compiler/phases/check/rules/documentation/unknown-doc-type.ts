/** `unknown-doc-type`: a parameter type that does not exist. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { cardSite } from '../../../../core/diagnostics/card-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'
import type { DocParam } from '../../../../core/model/unit.ts'
import { DOC_TYPES, docType } from '../../../../language/types/from-doc.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a parameter with a type that does not exist. */
export function checkDocType(walk: Walk, { type, typeSpan, span }: DocParam): void {
  if (type !== null && docType(type) === null) walk.report(unknownDocType(typeSpan ?? span, type, DOC_TYPES))
}

export const unknownDocType = message(
  'unknown-doc-type',
  'warning',
  'ValidDocParamTypes',
  (type: string, knownNames: Iterable<string>) => {
    const types = [...knownNames]
    return {
      text: `There is no type named ${quote(type)}.`,
      ...(suggestName(type, types) ?? { hint: `The types are ${joinWithAnd(types)}.` }),
    }
  },
  {
    wrong: cardSite({ doc: '  @param {strng} title - a' }),
    right: cardSite({ doc: '  @param {string} title - a' }),
  },
)
