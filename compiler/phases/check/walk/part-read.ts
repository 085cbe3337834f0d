/** Reads of parts of values: `a.b`, `a[0]`. */
import { findTypo } from '../../../core/diagnostics/suggest.ts'
import type { Accessor, Lookup } from '../../../core/tree/ast.ts'
import type { ReadPurpose } from './reads.ts'
import type { Walk } from './walk.ts'

/** A part of a path, with its index. */
export interface PathPart {
  readonly lookup: Lookup
  readonly at: number
  readonly accessor: Accessor
  readonly purpose: ReadPurpose
}

/** A read of a part with a known key. */
export interface PartRead extends PathPart {
  readonly key: string
}

/** Returns whether a read expects that the value may be absent. */
export function isGuarded({ purpose }: { readonly purpose: ReadPurpose }): boolean {
  return purpose === 'test' || purpose === 'default'
}

/** Returns the source text of the value that a part is read from. */
export function ownerText(walk: Walk, { lookup, at }: PathPart): string {
  const before = lookup.path[at - 1]
  return walk.source({ ...lookup.span, end: before?.span.end ?? lookup.name?.span.end ?? lookup.span.end })
}

/** Returns the text by which a part is recorded as tested. */
export function partText(walk: Walk, read: PartRead): string {
  return `${ownerText(walk, read)}.${read.key}`
}

/** Returns the known key that was probably meant by a missing key; null if the key may be absent on purpose. */
export function findIntendedKey(walk: Walk, key: string, knownNames: Iterable<string>): string | null {
  const meantName = findTypo(key, knownNames)
  if (meantName === null || (`${key}s` !== meantName && key !== `${meantName}s`)) return meantName
  // A template that reads both the singular and the plural does so on purpose.
  return new RegExp(`\\.${meantName}\\b`).test(walk.siteTemplate.unit.file.text) ? null : meantName
}
