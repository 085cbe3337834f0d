/**
 * `useless-suppression`: a comment that turns off checks that find nothing there. Reported by `addUselessSuppressions`
 * (core/diagnostics/suppress.ts).
 */
import { message } from '../../diagnostic.ts'
import { joinWithAnd } from '../../words.ts'

export const uselessSuppression = message(
  'useless-suppression',
  'info',
  'UselessSuppression',
  /**
   * `names`: the checks that find nothing; a single empty text for a comment about all checks. `all`: whether these are all checks in the comment. `suggestion`: a check that finds
   * something in the file.
   */
  (names: readonly string[], all: boolean, suggestion: string | null) => {
    const [first = ''] = names
    const text =
      first === ''
        ? 'This comment suppresses nothing.'
        : `This comment suppresses ${joinWithAnd(names)}, but nothing of that kind is found here.`
    if (suggestion !== null)
      return {
        text,
        hint: `Did you mean \`${suggestion}\`?`,
        change: { edits: [{ part: first, text: suggestion }], safe: false },
      }
    return all
      ? { text, hint: 'Remove the comment.', change: { edits: [{ text: '' }] } }
      : { text, hint: `Remove ${names.length === 1 ? 'the name' : 'the names'} from it.` }
  },
  {
    wrong: "a\n{% # platformos-check-disable MissingAsset %}\n{{ 'a' | upcase }}",
    right: "a\n{% # platformos-check-disable MissingAsset %}\n{{ 'a.css' | asset_url }}",
  },
)
