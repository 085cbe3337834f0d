/** Formats a statement for reading: one clause per line, indented by brackets. Strings and names stay unchanged. */

/** Strings, quoted names, parameters, words, numbers, and single symbols. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\d+|[A-Za-z_][\w$]*|\d+(?:\.\d+)?|::|->>|->|[<>=!|&@#~?+*/%^-]+|\S/g

/** Words that begin a new line. */
const CLAUSES: ReadonlySet<string> = new Set([
  'select',
  'from',
  'where',
  'order',
  'group',
  'limit',
  'offset',
  'left',
  'cross',
  'union',
  'insert',
  'update',
  'set',
  'delete',
  'values',
  'returning',
  'on',
  'with',
])

/** Brackets with at most this many characters stay on one line. */
const MAX_INLINE_LENGTH = 70

interface BracketGroup {
  readonly parts: readonly (string | BracketGroup)[]
}

/** Formats the statement over several lines. */
export function formatSql(sql: string): string {
  const tokens = sql.match(TOKEN) ?? []
  let at = 0
  const parseGroup = (): BracketGroup => {
    const parts: (string | BracketGroup)[] = []
    for (let token = tokens[at]; token !== undefined && token !== ')'; token = tokens[at]) {
      at++
      if (token !== '(') parts.push(token)
      else {
        parts.push(parseGroup())
        at++
      }
    }
    return { parts }
  }
  return formatGroup(parseGroup(), 0).trimEnd()
}

function formatGroup({ parts }: BracketGroup, depth: number): string {
  const indent = '  '.repeat(depth)
  let text = ''
  let textBefore = ''
  for (const [index, part] of parts.entries()) {
    if (typeof part !== 'string') {
      const flat = flatten(part)
      const isShort = flat.length <= MAX_INLINE_LENGTH && !/\bselect\b/.test(flat)
      const inner = isShort ? `(${flat})` : `(\n${'  '.repeat(depth + 1)}${formatGroup(part, depth + 1)}\n${indent})`
      text += `${/[\w"]$/.test(textBefore) && !KEYWORD.test(textBefore) ? '' : separatorBetween(textBefore, '(')}${inner}`
      textBefore = ')'
      continue
    }
    // These words begin no clause in `is distinct from`, `distinct on (…)` and the function `left(…)`.
    const startsClause =
      CLAUSES.has(part.toLowerCase()) && textBefore !== 'distinct' && (part !== 'left' || parts[index + 1] === 'join')
    text += startsClause && text !== '' ? `\n${indent}${part}` : `${separatorBetween(textBefore, part)}${part}`
    if (part === 'and' || part === 'or') text = text.replace(/ (and|or)$/, `\n${indent}  $1`)
    textBefore = part
  }
  return text
}

function flatten({ parts }: BracketGroup): string {
  let text = ''
  let textBefore = ''
  for (const part of parts) {
    const next = typeof part === 'string' ? part : `(${flatten(part)})`
    const isAttached = typeof part !== 'string' && /[\w"]$/.test(textBefore) && !KEYWORD.test(textBefore)
    text += `${isAttached ? '' : separatorBetween(textBefore, next)}${next}`
    textBefore = typeof part === 'string' ? part : ')'
  }
  return text
}

const KEYWORD =
  /^(?:and|or|not|in|as|from|where|select|on|by|lateral|values|exists|when|then|else|case|join|limit|offset|filter|over|using|materialized)$/i

function separatorBetween(textBefore: string, next: string): string {
  if (textBefore === '' || /^(?:\.|::|\[|\()$/.test(textBefore) || /^(?:,|\.|::|;|\]|\[)/.test(next)) return ''
  return ' '
}
