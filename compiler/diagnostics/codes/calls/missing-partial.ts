/** `missing-partial`: a partial that does not exist. */
import { message } from '../../diagnostic.ts'
import { nearestPath } from '../../suggest.ts'
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
    const meant = nearestPath(name, names)
    return {
      text: `There is no partial named ${quoted(name)}.`,
      hint:
        bare !== name && names.includes(bare)
          ? `Drop \`lib/\`: write ${quoted(bare)}.`
          : meant === null
            ? `Write it in ${quoted(inSite ? placeOf(name) : `${name}.liquid`)}, or take the call away.`
            : `Did you mean \`${meant}\`?`,
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
