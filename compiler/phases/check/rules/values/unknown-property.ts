/** `unknown-property`: a property that a value does not have. */
import { findNearest } from '../../../../core/diagnostics/suggest.ts'
import type { MissingKey } from '../../../../core/model/type.ts'
import type { Lookup } from '../../../../core/tree/ast.ts'
import { USER_FIELDS } from '../../../../language/types/context.ts'
import { isContext } from '../../walk/context-paths.ts'
import { findIntendedKey, isGuarded, ownerText, type PartRead } from '../../walk/part-read.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'

export const unknownProperty = message(
  'unknown-property',
  'warning',
  'UnknownProperty',
  (owner: string, name: string, knownNames: Iterable<string>, origin: Span | null) => {
    const fields = [...knownNames]
    return {
      subject: { kind: 'field', name, of: owner },
      text: `${quote(owner)} has no property ${quote(name)}.`,
      ...(suggestName(name, fields) ?? {
        hint: `The value is always nil: remove it${origin === null ? '' : ', or set it where the value is created'}.`,
      }),
      related:
        origin === null
          ? []
          : [
              {
                span: origin,
                message: fields.length === 0 ? 'it is empty here' : `its properties are ${joinWithAnd(fields)}`,
              },
            ],
    }
  },
  {
    wrong: '{% assign h = { "a": 1 } %}{{ h.b }}',
    right: '{% assign h = { "a": 1 } %}{{ h.a }}',
  },
)

/** Reports a key that is missing in a value whose keys are known. */
export function checkUnknownProperty(
  walk: Walk,
  span: Span,
  owner: string,
  key: string,
  { knownNames, origin }: MissingKey,
): void {
  walk.report(unknownProperty(span, owner, key, knownNames, origin))
}

/**
 * Reports a read of a missing part. A part that is only tested may be absent, so it is reported only if it is misspelled. A site may add
 * fields to `context`, so a field that resembles no known one is only an info.
 */
export function checkUnknownPart(walk: Walk, read: PartRead, { knownNames, origin }: MissingKey): void {
  const { lookup, at, accessor, key } = read
  const isContextKey = at === 0 && isContext(walk, lookup)
  const isSlip =
    isContextKey || isLoop(walk, lookup)
      ? findNearest(key, knownNames) !== null
      : isGuarded(read) && findIntendedKey(walk, key, knownNames) !== null
  if (isGuarded(read) && !isSlip) return
  const diagnostic = unknownProperty(accessor.span, ownerText(walk, read), key, knownNames, origin)
  walk.report(isContextKey && !isSlip ? { ...diagnostic, severity: 'info' } : diagnostic)
}

/** Returns whether a lookup starts at the state of a loop, whose fields are known. */
function isLoop(walk: Walk, { name }: Lookup): boolean {
  return (name?.name === 'forloop' || name?.name === 'tablerowloop') && walk.flow.local(name.name) !== undefined
}

/** Reports a misspelled field of `context.current_user`, whose fields are not all known. */
export function checkUserField(walk: Walk, span: Span, key: string): void {
  if (walk.env.site.userProperties.some(({ name }) => name === key)) return
  const meantName = findNearest(key, USER_FIELDS)
  if (meantName !== null) walk.report(unknownProperty(span, 'context.current_user', key, [meantName], null))
}
