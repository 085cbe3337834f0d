/**
 * `missing-partial`: a partial that does not exist. Reported by `targetsOf` (phases/check/types/call-targets.ts) and `RUNTIME_CALL_ERRORS`
 * (tools/engine/compilation.ts).
 */
import { suggestClosingQuote, suggestPath } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

/** Returns the path where a partial with this name belongs: logic is in `lib`. */
function pathOfPartial(name: string, isLogic: boolean): string {
  const folder = isLogic ? 'lib' : 'views/partials'
  const [, module, below] = /^modules\/([^/]+)\/(.+)$/.exec(name) ?? []
  return module === undefined ? `app/${folder}/${name}.liquid` : `modules/${module}/public/${folder}/${below}.liquid`
}

export const missingPartial = message(
  'missing-partial',
  'error',
  'MissingPartial',
  /** `inSite`: whether the partial belongs in the folders of a site. `isLogic`: whether `function` or `background` calls it. */
  (name: string, knownNames: Iterable<string>, inSite = true, isLogic?: boolean) => {
    const names = [...knownNames]
    const nameInLib = name.replace(/^lib\//, '')
    return {
      subject: { kind: 'partial', name },
      text: `There is no partial named ${quote(name)}.`,
      ...(nameInLib !== name && names.includes(nameInLib)
        ? { hint: `Remove \`lib/\`: write ${quote(nameInLib)}.`, change: { edits: [{ part: name, text: nameInLib }] } }
        : (suggestClosingQuote(name, names) ??
          suggestPath(name, names) ?? {
            hint: `Create ${quote(inSite ? pathOfPartial(name, isLogic === true) : `${name}.liquid`)}, or remove the call.`,
          })),
    }
  },
  {
    wrong: `{% render 'crad' %}{% render 'card' %}`,
    right: `{% render 'card' %}`,
    both: { 'app/views/partials/card.liquid': 'x' },
  },
)
