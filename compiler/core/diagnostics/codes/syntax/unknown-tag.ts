/** `unknown-tag`: a tag that does not exist. Reported by `TreeBuilder` (phases/parse/build-tree.ts). */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formatForeignHint, findForeignTag } from '../../foreign-names.ts'
import { quote } from '../../words.ts'

export const unknownTag = message(
  'unknown-tag',
  'error',
  'LiquidHTMLSyntaxError',
  // `end`: the name in the end tag (`if` for `endif`). If a tag has that name, the author probably meant that tag.
  (
    name: string,
    knownNames: Iterable<string>,
    end: string | null = null,
    dialect: 'platform' | 'liquid' = 'platform',
  ) => {
    const names = [...knownNames]
    const suggestion = end !== null && end !== name && names.includes(end) ? end : null
    const foreign = suggestion === null ? findForeignTag(name) : null
    const knownNameFix =
      foreign === null ? suggestName(name, names) : { hint: formatForeignHint(name, 'tag', foreign, dialect) }
    return {
      subject: { kind: 'tag', name },
      text: `There is no tag named ${quote(name)}.`,
      ...(suggestion === null
        ? knownNameFix
        : {
            hint: `\`end${suggestion}\` closes it. Did you mean \`${suggestion}\`?`,
            change: { edits: [{ part: name, text: suggestion }] },
          }),
    }
  },
  {
    wrong: '{% asign a = 1 %}{{ a }}',
    right: '{% assign a = 1 %}{{ a }}',
  },
)
