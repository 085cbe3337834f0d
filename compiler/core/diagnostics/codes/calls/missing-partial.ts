/** `missing-partial`: a partial that does not exist. */
import { cutName, meantPath } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

/** Where a partial of that name stands. */
function placeOf(name: string): string {
  const [, module, below] = /^modules\/([^/]+)\/(.+)$/.exec(name) ?? []
  return module === undefined
    ? `app/views/partials/${name}.liquid`
    : `modules/${module}/public/views/partials/${below}.liquid`
}

export const missingPartial = message(
  'missing-partial',
  'error',
  'MissingPartial',
  /** `inSite`: it would stand in the folders of a site. */
  (name: string, known: Iterable<string>, inSite = true) => {
    const names = [...known]
    const bare = name.replace(/^lib\//, '')
    return {
      text: `There is no partial named ${quoted(name)}.`,
      ...(bare !== name && names.includes(bare)
        ? { hint: `Drop \`lib/\`: write ${quoted(bare)}.`, change: { edits: [{ part: name, text: bare }] } }
        : (cutName(name, names) ??
          meantPath(name, names) ?? {
            hint: `Write it in ${quoted(inSite ? placeOf(name) : `${name}.liquid`)}, or take the call away.`,
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
