/**
 * Reads and writes the headers that pass a trace from one server to the next, as the W3C defines them (Trace Context,
 * Baggage). Invalid headers are ignored, as if they had not been sent.
 */

/** The span of another server that a request belongs to. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly sampled: boolean
}

const PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/
/** Length of the header in its first version, which ends after the flags. */
const PARENT_LENGTH = 55

/** Parses a `traceparent` header; null when missing or malformed. Later versions may have further fields. */
export function parseTraceParent(header: string): TraceParent | null {
  if (header === '') return null
  const fields = PARENT.exec(header)
  if (fields === null) return null
  const [, version, traceId = '', spanId = '', flags = ''] = fields
  if (version === '00' && header.length !== PARENT_LENGTH) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Returns the trace id of a `traceparent` header; null when missing or malformed. */
export function traceIdOf(header: string): string | null {
  return parseTraceParent(header)?.traceId ?? null
}

/** Formats a `traceparent` header. */
export function parentHeader({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

const STATE_KEY = /^[a-z\d][a-z\d_\-*/@]{0,255}$/
/** Printable characters without comma and equals sign, with no space at the end. */
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const STATE_MEMBERS = 32
/** Characters that must be passed on. A longer header is shortened; members longer than `LONG_MEMBER` are removed first. */
const STATE_LENGTH = 512
const LONG_MEMBER = 128

/** Parses a `tracestate` header and keeps its order. Null when it is missing, or when a member is invalid. */
export function parseTraceState(header: string): string | null {
  const members = splitMembers(header)
  if (members.length === 0 || members.length > STATE_MEMBERS) return null
  const keys = new Set<string>()
  for (const member of members) {
    const at = member.indexOf('=')
    const key = member.slice(0, Math.max(0, at))
    if (!STATE_KEY.test(key) || !STATE_VALUE.test(member.slice(at + 1)) || keys.has(key)) return null
    keys.add(key)
  }
  if (members.join(',').length <= STATE_LENGTH) return members.join(',')
  const shortMembers = members.filter(({ length }) => length <= LONG_MEMBER)
  while (shortMembers.join(',').length > STATE_LENGTH) shortMembers.pop()
  return shortMembers.length === 0 ? null : shortMembers.join(',')
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const VALUE = '[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*'
const MEMBER = new RegExp(`^${TOKEN}[ \\t]*=[ \\t]*${VALUE}(?:[ \\t]*;[ \\t]*${TOKEN}(?:[ \\t]*=[ \\t]*${VALUE})?)*$`)
/** Minimum size of a `baggage` header that must be passed on. A longer header is cut between members. */
const BAGGAGE_MEMBERS = 64
const BAGGAGE_LENGTH = 8_192

/** Parses a `baggage` header without its invalid members; null when no member is left. */
export function parseBaggage(header: string): string | null {
  const validMembers: string[] = []
  let length = 0
  // The rest of a header that is too long is ignored.
  for (const member of splitMembers(header.slice(0, 2 * BAGGAGE_LENGTH))) {
    if (!MEMBER.test(member)) continue
    length += member.length + (validMembers.length > 0 ? 1 : 0)
    if (validMembers.length === BAGGAGE_MEMBERS || length > BAGGAGE_LENGTH) break
    validMembers.push(member)
  }
  return validMembers.length === 0 ? null : validMembers.join(',')
}

function splitMembers(header: string): readonly string[] {
  return header.split(',').flatMap((each) => {
    const member = each.replace(/^[ \t]+|[ \t]+$/g, '')
    return member === '' ? [] : [member]
  })
}
