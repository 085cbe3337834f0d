/** `removed-value`: what `hash_delete_key` gives is taken for the hash without the key. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const removedValue = message(
  'removed-value',
  'warning',
  'WS38',
  (name: string, hash: string, key: string) => ({
    text: `${quoted(name)} gets the value that was removed, and not the hash: the filter takes ${quoted(key)} out of ${quoted(hash)} itself.`,
    hint:
      name === hash
        ? `Write \`assign _ = ${hash} | hash_delete_key: '${key}'\`, and ${quoted(hash)} is without it.`
        : `Go on with ${quoted(hash)}, or make a copy: \`assign ${name} = ${hash} | hash_except: '${key}'\`.`,
    change:
      name === hash
        ? { edits: [{ reach: 'markup', match: `\\bassign\\s+${name}\\b`, text: 'assign _' }], safe: false }
        : {
            edits: [
              {
                reach: 'markup',
                match: '(?:hash_delete_key|delete_hash_key|remove_hash_key)\\s*:\\s*(?:\'([^\']*)\'|"([^"]*)")',
                text: 'hash_except: ["$1$2"]',
              },
            ],
            safe: false,
          },
  }),
  {
    wrong: `{% assign h = { "a": 1, "b": 2 } %}{% assign rest = h | hash_delete_key: 'a' %}{{ rest }}`,
    right: `{% assign h = { "a": 1, "b": 2 } %}{% assign rest = h | hash_except: ["a"] %}{{ rest }}`,
  },
)
