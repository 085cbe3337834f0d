/** Computes a fingerprint of all files that the responses of a site depend on. */
import { createHash } from 'node:crypto'
import { give, NOWHERE, type Statement, string, typeNamed } from '../../core/model/code.ts'
import { derived } from '../../core/model/derived.ts'
import type { Module } from '../../core/model/module.ts'
import type { FileKind, SourceFile } from '../../core/source/file.ts'
import type { EmitContext } from './context.ts'
import { print } from './print.ts'

/** Kinds of files that are not an input of page responses: assets are requested separately, and tables change with their rows. */
const EXCLUDED_KINDS: ReadonlySet<FileKind> = new Set([
  'asset',
  'lint_config',
  'table',
  'user_schema',
  'user_profile_schema',
  'activity_handler',
])

/**
 * Returns the fingerprint: 16 hexadecimal digits. They do not depend on the order of the files, and change if a template, query or
 * translation changes.
 */
export function fingerprintOf(files: readonly SourceFile[]): string {
  // A sum needs no order, so that an edit costs no sorting.
  const sum = files.reduce((total, file) => total + digestOf(file), 0n)
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
}

/** Returns the first 64 bits of a digest of a file; 0 for an excluded file. */
const digestOf = derived(({ path, kind, text }: SourceFile): bigint => {
  const hex = createHash('sha256').update(`${path}\0${kind}\0${text}`).digest('hex')
  return EXCLUDED_KINDS.has(kind) ? 0n : BigInt(`0x${hex.slice(0, 16)}`)
})

/** The name of the emitted function that returns the fingerprint. */
export const FINGERPRINT = 'siteFingerprint'
export const FINGERPRINT_MODULE = 'fingerprint.ts'

/** Emits a separate module, so that a changed template does not change the whole manifest. */
export function emitFingerprint({ printAs }: EmitContext, fingerprint: string): Module {
  const body: Statement = {
    kind: 'function',
    name: FINGERPRINT,
    async: false,
    parameters: [],
    result: typeNamed('string'),
    body: [give(string(fingerprint))],
    exported: true,
    span: NOWHERE,
  }
  return { path: FINGERPRINT_MODULE, source: null, imports: [], exports: [FINGERPRINT], body: print([body], printAs) }
}
