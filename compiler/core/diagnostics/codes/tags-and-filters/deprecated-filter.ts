/** `deprecated-filter`: a filter that has a successor. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

/** @param written whether the template writes the value itself */
function hintOf(successor: string, written: boolean): string {
  // A tag can take the place of a filter where the template says what is to be made.
  if (successor !== 'assign') return `Use \`${successor}\`.`
  return written
    ? 'Write the hash or list in `assign`: `{% assign h = { "a": 1 } %}`.'
    : 'What the template writes itself can be a hash or list of `assign`; text that comes from elsewhere has no other way, and goes on working.'
}

/** Successors that print something else: another address, and the line ends too. */
const PRINTS_OTHERWISE: ReadonlySet<string> = new Set(['asset_url', 'newline_to_br'])

export const deprecatedFilter = message(
  'deprecated-filter',
  'warning',
  'DeprecatedFilter',
  (name: string, successor: string | null, written: boolean) => ({
    text: `The filter ${quoted(name)} is deprecated.`,
    hint: successor === null ? undefined : hintOf(successor, written),
    change:
      successor === null || successor === 'assign'
        ? undefined
        : { edits: [{ part: name, text: successor }], safe: !PRINTS_OTHERWISE.has(successor) },
  }),
  {
    wrong: `{% assign h = { "a": 1 } %}{{ h | dig: 'a' }}`,
    right: `{% assign h = { "a": 1 } %}{{ h | hash_dig: 'a' }}`,
  },
)
