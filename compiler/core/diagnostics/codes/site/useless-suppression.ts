/** `useless-suppression`: a comment that turns checks off which find nothing there. */
import { message } from '../../diagnostic.ts'
import { listed } from '../../words.ts'

export const uselessSuppression = message(
  'useless-suppression',
  'info',
  'UselessSuppression',
  /** `names`: those that nothing was found by; `all`: there is no other in the comment; `meant`: a check that finds something in the file. */
  (names: readonly string[], all: boolean, meant: string | null) => {
    const [first = ''] = names
    const text =
      names.length === 0 ? 'This comment silences nothing.' : `This comment silences nothing of ${listed(names)}.`
    if (meant !== null)
      return {
        text,
        hint: `Did you mean \`${meant}\`?`,
        change: { edits: [{ part: first, text: meant }], safe: false },
      }
    return all
      ? { text, hint: 'Take it away.', change: { edits: [{ text: '' }] } }
      : { text, hint: `Take ${names.length === 1 ? 'the name' : 'the names'} out of it.` }
  },
  {
    wrong: "a\n{% # platformos-check-disable MissingAsset %}\n{{ 'a' | upcase }}",
    right: "a\n{% # platformos-check-disable MissingAsset %}\n{{ 'a.css' | asset_url }}",
  },
)
