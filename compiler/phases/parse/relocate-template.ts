/** Maps the spans of templates in YAML block texts to the file, where their lines are indented. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Template } from '../../core/model/unit.ts'
import type { Span } from '../../core/source/span.ts'

/** Returns the span in the file for two offsets of the text. */
export type SpanMapper = (start: number, end: number) => Span

/** Returns the template with file spans in all of its nodes. */
export function relocateTemplate(template: Template, spanInFile: SpanMapper): Template {
  return relocatedCopy(template, spanInFile)
}

/** Returns the diagnostic with file spans. Its suggested change is dropped, because its edits refer to another text. */
export function relocateDiagnostic({ change: _, ...diagnostic }: Diagnostic, spanInFile: SpanMapper): Diagnostic {
  return relocatedCopy(diagnostic, spanInFile)
}

/** Returns the diagnostic without its suggested change, for a text whose positions are not known. */
export function withoutChange({ change: _, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic
}

function relocatedCopy<Value>(value: Value, spanInFile: SpanMapper): Value {
  // The copy has the same structure; only its spans differ.
  return relocateValue(value, spanInFile, new Map()) as Value
}

/** Returns a copy of a value with file spans. A value that several nodes share is copied only once. */
function relocateValue(value: unknown, spanInFile: SpanMapper, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const existing = copies.get(value)
  if (existing !== undefined) return existing
  if (Array.isArray(value)) {
    const list: unknown[] = []
    copies.set(value, list)
    for (const item of value) list.push(relocateValue(item, spanInFile, copies))
    return list
  }
  if (isSpan(value)) {
    const span = spanInFile(value.start, value.end)
    copies.set(value, span)
    return span
  }
  const copy: Record<string, unknown> = Object.create(Object.getPrototypeOf(value))
  copies.set(value, copy)
  for (const [key, inner] of Object.entries(value)) copy[key] = relocateValue(inner, spanInFile, copies)
  return copy
}

function isSpan(value: object): value is Span {
  return 'file' in value && 'start' in value && 'end' in value && typeof value.start === 'number'
}
