/** `old-name`: a name that is never set, so it reads the field of `context` with the same name. */
import type { Span } from '../../../../core/source/span.ts'
import { ASSET_URLS, inContext } from '../../../../language/types/old-variables.ts'
import type { Walk } from '../../walk/walk.ts'
import { replaceWith } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const oldName = message(
  'old-name',
  'info',
  'UndefinedObject',
  /** `suggestion`: the current spelling (`context.params`). `always`: whichever file calls this file, the name has only that meaning. */
  (name: string, suggestion: string, always: boolean) => ({
    subject: { kind: 'variable', name, meant: suggestion },
    text: `No variable ${quote(name)} is set, so this reads ${quote(suggestion)}.`,
    ...replaceWith(suggestion, always),
  }),
  {
    wrong: `{{ params.id }}`,
    right: `{{ context.params.id }}`,
  },
)

/**
 * Reports a read of a field of `context` by its older name. The name `asset_url` is not old.
 * @param isAlways whether the name has only that meaning. Other callers of an included partial may set the name.
 */
export function checkOldName(walk: Walk, name: string, span: Span, isAlways: boolean): void {
  if (walk.oldKeys(name) !== null && name !== ASSET_URLS)
    walk.report(oldName(span, name, inContext(name) ?? name, isAlways))
}
