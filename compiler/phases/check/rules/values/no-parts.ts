/** `no-parts`: a field that is read from an array, text or a number. */
import type { Type } from '../../../../core/model/type.ts'
import type { Lookup } from '../../../../core/tree/ast.ts'
import { hasNoParts } from '../../../../language/types/no-parts.ts'
import { describe } from '../../../../language/types/relate.ts'
import { isGuarded, ownerText, type PartRead, partText, type PathPart } from '../../walk/part-read.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'

export const noParts = message(
  'no-parts',
  'warning',
  'UnknownProperty',
  (owner: string, key: string, what: string) => ({
    subject: { kind: 'field', name: key, of: owner, type: what },
    text:
      what === 'nil'
        ? `${quote(owner)} is nil here, so its field ${quote(key)} is nil too.`
        : `${quote(owner)} is ${withArticle(what)}, which has no field ${quote(key)}, so this is always nil.`,
    hint:
      what === 'nil'
        ? `Give ${quote(owner)} a value first.`
        : what.startsWith('array')
          ? 'Get an element first: use `| first`, `[0]` or a loop.'
          : `Remove ${quote(key)}.`,
  }),
  {
    wrong: "{% assign names = 'a,b' | split: ',' %}{{ names.title }}",
    right: "{% assign names = 'a,b' | split: ',' %}{{ names.first }}",
  },
)

/**
 * Reports a part of a variable that the template sets to nil, and a part that no value of the type has, unless it is tested.
 * @param lacksParts whether no value of the type has the part
 */
export function checkNoParts(walk: Walk, read: PartRead, type: Type, lacksParts: boolean): void {
  const isOfNil = type.kind === 'nil' && read.at === 0 && read.purpose === 'value' && isSetToNil(walk, read.lookup)
  if (isOfNil || (lacksParts && !isGuarded(read) && !walk.reads.tested.has(partText(walk, read))))
    walk.report(noParts(read.accessor.span, ownerText(walk, read), read.key, describe(type)))
}

/** Returns whether the template itself assigns nil to the variable. */
function isSetToNil({ flow, siteTemplate }: Walk, { name }: Lookup): boolean {
  if (name === null || flow.dead || !flow.variables.has(name.name)) return false
  return new RegExp(`\\bassign\\s+${name.name}\\s*=\\s*(?:nil|null)\\b`).test(siteTemplate.unit.file.text)
}

/** Reports a part under a computed key if the value has a part for none of the possible keys. */
export function checkNoComputedPart(walk: Walk, part: PathPart, keys: readonly string[], type: Type): void {
  const [first] = keys
  if (first !== undefined && keys.every((key) => hasNoParts(type, key, false)))
    walk.report(noParts(part.accessor.span, ownerText(walk, part), first, describe(type)))
}
