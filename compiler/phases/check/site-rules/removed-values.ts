/** Checks filters that remove a key: they change the hash and return the removed value, not the hash. */
import { removedValue } from '../rules/values/removed-value.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

const REMOVAL =
  /\bassign\s+(\w+)\s*=\s*(\w+)\s*\|\s*(hash_delete_key|delete_hash_key|remove_hash_key)\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)")\s*(?=-?%\}|\n)/g

/**
 * Reports removed values that are used as if they were the hash: the value is assigned to the hash's own variable, or to another variable
 * that is read later while the hash is not.
 */
export function checkRemovedValues({ outline, unit: { file } }: SiteTemplate): readonly Diagnostic[] {
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
