/** `removed-value`: the result of `hash_delete_key` is used as if it were the hash without the key. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const removedValue = message(
  'removed-value',
  'warning',
  'WS38',
  (name: string, hash: string, key: string) => ({
    text: `${quote(name)} gets the removed value, not the hash: the filter removes ${quote(key)} from ${quote(hash)} itself.`,
    hint:
      name === hash
        ? `Write \`assign _ = ${hash} | hash_delete_key: '${key}'\`, which removes it from ${quote(hash)}.`
        : `Use ${quote(hash)}, or make a copy: \`assign ${name} = ${hash} | hash_except: '${key}'\`.`,
    change:
      name === hash
        ? { edits: [{ target: 'markup', match: `\\bassign\\s+${name}\\b`, text: 'assign _' }], safe: false }
        : {
            edits: [
              {
                target: 'markup',
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
