/** `missing-partial`: a partial that does not exist. */
import { suggestClosingQuote, suggestPath } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

/** Returns the path where a partial with this name belongs. */
function pathOfPartial(name: string): string {
  const [, module, below] = /^modules\/([^/]+)\/(.+)$/.exec(name) ?? []
  return module === undefined
    ? `app/views/partials/${name}.liquid`
    : `modules/${module}/public/views/partials/${below}.liquid`
}

export const missingPartial = message(
  'missing-partial',
  'error',
  'MissingPartial',
  /** `inSite`: whether the partial belongs in the folders of a site. */
  (name: string, knownNames: Iterable<string>, inSite = true) => {
    const names = [...knownNames]
    const nameInLib = name.replace(/^lib\//, '')
    return {
      text: `There is no partial named ${quote(name)}.`,
      ...(nameInLib !== name && names.includes(nameInLib)
        ? { hint: `Remove \`lib/\`: write ${quote(nameInLib)}.`, change: { edits: [{ part: name, text: nameInLib }] } }
        : (suggestClosingQuote(name, names) ??
          suggestPath(name, names) ?? {
            hint: `Create ${quote(inSite ? pathOfPartial(name) : `${name}.liquid`)}, or remove the call.`,
          })),
    }
  },
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'crad' %}{% render 'card' %}`,
      'app/views/partials/card.liquid': 'x',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': 'x' },
  },
)
