/**
 * The headers by which a trace goes from one server to the next, as the W3C defines them (Trace Context, Baggage). What cannot be
 * read is left out, as if it had not been sent; nothing else of a request depends on it.
 */

/** The work that a request is a part of. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly sampled: boolean
}

const PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/
/** Characters of the header in its first version, which has nothing behind its flags. */
const PARENT_LENGTH = 55

/** Reads a `traceparent` header; null for one that is missing or malformed. Later versions may have more behind it. */
export function parentOf(header: string): TraceParent | null {
  if (header === '') return null
  const found = PARENT.exec(header)
  if (found === null) return null
  const [, version, traceId = '', spanId = '', flags = ''] = found
  if (version === '00' && header.length !== PARENT_LENGTH) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The id of the trace that a `traceparent` header names; null for one that is missing or malformed. */
export function traceIdOf(header: string): string | null {
  return parentOf(header)?.traceId ?? null
}

/** Writes a `traceparent` header. */
export function parentHeader({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}

const STATE_KEY = /^[a-z\d][a-z\d_\-*/@]{0,255}$/
/** Printable, without comma and equals sign, and not ending in a space. */
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const STATE_MEMBERS = 32
/** Characters that have to go on; what is longer is shortened, beginning with the members that are longer than `LONG_MEMBER`. */
const STATE_LENGTH = 512
const LONG_MEMBER = 128

/** Reads a `tracestate` header. Its order counts. Null for one that is missing, and one that is not valid in every member. */
export function stateOf(header: string): string | null {
  const members = membersOf(header)
  if (members.length === 0 || members.length > STATE_MEMBERS) return null
  const keys = new Set<string>()
  for (const member of members) {
    const at = member.indexOf('=')
    const key = member.slice(0, Math.max(0, at))
    if (!STATE_KEY.test(key) || !STATE_VALUE.test(member.slice(at + 1)) || keys.has(key)) return null
    keys.add(key)
  }
  if (members.join(',').length <= STATE_LENGTH) return members.join(',')
  const kept = members.filter(({ length }) => length <= LONG_MEMBER)
  while (kept.join(',').length > STATE_LENGTH) kept.pop()
  return kept.length === 0 ? null : kept.join(',')
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const VALUE = '[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*'
const MEMBER = new RegExp(`^${TOKEN}[ \\t]*=[ \\t]*${VALUE}(?:[ \\t]*;[ \\t]*${TOKEN}(?:[ \\t]*=[ \\t]*${VALUE})?)*$`)
/** What has to go on of a `baggage` header at least; longer ones are cut between members. */
const BAGGAGE_MEMBERS = 64
const BAGGAGE_LENGTH = 8_192

/** Reads a `baggage` header, without the members that are not valid; null where nothing is left. */
export function baggageOf(header: string): string | null {
  const kept: string[] = []
  let length = 0
  // What is too long is not looked at.
  for (const member of membersOf(header.slice(0, 2 * BAGGAGE_LENGTH))) {
    if (!MEMBER.test(member)) continue
    length += member.length + (kept.length > 0 ? 1 : 0)
    if (kept.length === BAGGAGE_MEMBERS || length > BAGGAGE_LENGTH) break
    kept.push(member)
  }
  return kept.length === 0 ? null : kept.join(',')
}

function membersOf(header: string): readonly string[] {
  return header.split(',').flatMap((each) => {
    const member = each.replace(/^[ \t]+|[ \t]+$/g, '')
    return member === '' ? [] : [member]
  })
}
