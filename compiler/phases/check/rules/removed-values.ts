/** Keys that are taken out of hashes: the filter changes the hash, and gives the value that the key had. */
import { removedValue } from '../../../core/diagnostics/codes/values/removed-value.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Piece } from '../piece.ts'

const REMOVES =
  /\bassign\s+(\w+)\s*=\s*(\w+)\s*\|\s*(hash_delete_key|delete_hash_key|remove_hash_key)\s*:\s*(?:'([^'\n]*)'|"([^"\n]*)")\s*(?=-?%\}|\n)/g

/** What is taken for the hash: it has the hash's own name, or nothing behind it reads the hash any more. */
export function checkRemovedValues({ bound, unit: { file } }: Piece): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const found of file.text.matchAll(REMOVES)) {
    const [whole, name = '', hash = '', filter = '', single, double] = found
    const key = single ?? double ?? ''
    // A variable with the name of the key is to have its value.
    if (!bound.writes.has(name) || name === key || name.startsWith('_')) continue
    const rest = file.text.slice(found.index + whole.length)
    const isRead = (each: string) => new RegExp(`(?<![\\w.'"$-])${each}(?![\\w:'"])`).test(rest)
    if (name !== hash && (!isRead(name) || isRead(hash) || isInLoop(file.text.slice(0, found.index)))) continue
    const start = found.index + whole.indexOf(filter)
    diagnostics.push(removedValue({ file: file.path, start, end: start + filter.length }, name, hash, key))
  }
  return diagnostics
}

/** Whether a loop is open behind a text: what stands before a place in it runs behind that as well. */
function isInLoop(before: string): boolean {
  return count(before, /\b(?:for|tablerow)\s+\w+\s+in\b/g) > count(before, /\bend(?:for|tablerow)\b/g)
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
