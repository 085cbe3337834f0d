/** `removed-value`: the result of `hash_delete_key` is used as if it were the hash without the key. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { SourceFile } from '../../../../core/source/file.ts'
import { derived } from '../../../../core/model/derived.ts'

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

const removesKeys = derived(({ text }: SourceFile) => /hash_delete_key|(?:delete|remove)_hash_key/.test(text))

const REMOVAL =
  /\bassign\s+(\w+)\s*=\s*(\w+)\s*\|\s*(hash_delete_key|delete_hash_key|remove_hash_key)\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)")\s*(?=-?%\}|\n)/g

/** Reports removed values that are used as if they were the hash. */
export function checkRemovedValues({ siteTemplates }: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const siteTemplate of siteTemplates) {
    if (siteTemplate.inner === null && removesKeys(siteTemplate.unit.file))
      diagnostics.push(...misusedValues(siteTemplate))
  }
  return diagnostics
}

/**
 * Reports the removed values of a template that are used as if they were the hash: the value is assigned to the hash's own variable, or to another variable
 * that is read later while the hash is not.
 */
function misusedValues({ outline, unit: { file } }: SiteTemplate): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const match of file.text.matchAll(REMOVAL)) {
    const [whole, name = '', hash = '', filter = '', single, double] = match
    const key = single ?? double ?? ''
    // A variable with the same name as the key is intended to contain the removed value.
    if (!outline.writes.has(name) || name === key || name.startsWith('_')) continue
    const rest = file.text.slice(match.index + whole.length)
    const isRead = (each: string) => new RegExp(`(?<![\\w.'"$-])${each}(?![\\w:'"])`).test(rest)
    if (name !== hash && (!isRead(name) || isRead(hash) || isInLoop(file.text.slice(0, match.index)))) continue
    const start = match.index + whole.indexOf(filter)
    diagnostics.push(removedValue({ file: file.path, start, end: start + filter.length }, name, hash, key))
  }
  return diagnostics
}

/** Returns whether a loop is open at the end of a text, so that code before a place can also run after it. */
function isInLoop(textBefore: string): boolean {
  return (
    countMatches(textBefore, /\b(?:for|tablerow)\s+\w+\s+in\b/g) > countMatches(textBefore, /\bend(?:for|tablerow)\b/g)
  )
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
