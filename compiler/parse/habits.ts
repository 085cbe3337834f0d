/**
 * What people write who come from another language, and what they forget, with what they probably meant: rewrites of one tag or
 * output. Whether a rewrite can be read is for the caller to see.
 */

/** One tag or output without its delimiters. */
export interface UnreadableMarkup {
  readonly output: boolean
  /** Between the delimiters, without white space at both ends. */
  readonly inner: string
  readonly filters: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

/** A rewrite: `output` and `tag` keep one pair of delimiters, `whole` brings its own. */
export type Rewrite = { readonly as: 'output' | 'tag' | 'whole'; readonly text: string }

const WORD = String.raw`[A-Za-z_][\w-]*`
const TEXT = String.raw`"[^"\n]*"|'[^'\n]*'`
/** A variable with its properties, a text or a number. */
const VALUE = String.raw`(?:${TEXT}|-?\d+(?:\.\d+)?|${WORD}(?:\.${WORD}|\[[^\]\n]*\])*)`

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divided_by',
  '%': 'modulo',
}

/** Methods of other languages, as what stands behind the value here. */
const METHODS: Readonly<Record<string, string>> = {
  toUpperCase: ' | upcase',
  upper: ' | upcase',
  uppercase: ' | upcase',
  toLowerCase: ' | downcase',
  lower: ' | downcase',
  lowercase: ' | downcase',
  trim: ' | strip',
  length: '.size',
  count: '.size',
  size: '.size',
  first: '.first',
  last: '.last',
  toString: " | append: ''",
}

/** Words for comparisons. */
const COMPARISONS: readonly (readonly [RegExp, string])[] = [
  [/\s(?:!==|<>|is\s+not|isnt|neq?|not\s+equals?)\s/gi, ' != '],
  [/\s(?:={1,3}|is|eq|eqv|equals?)\s/gi, ' == '],
  [/\s(?:=<|lte?q?|le)\s/gi, ' <= '],
  [/\s(?:=>|gte?q?|ge)\s/gi, ' >= '],
  [/\s(?:includes|has|like|matches)\s/gi, ' contains '],
]

/** Likely meanings, the likeliest first. */
export function* rewrites(written: UnreadableMarkup): Generator<Rewrite> {
  const { inner, output, tags } = written
  const straight = inner.replace(/[“”„«»]/g, '"').replace(/[‘’]/g, "'")
  if (straight !== inner) yield { as: output ? 'output' : 'tag', text: straight }
  if (output) yield* ofOutput(straight, written)
  else yield* ofTag(straight, written)
  // What every markup may have too much of.
  const bare = inner.replace(/\{\{-?\s*([^{}]*?)\s*-?\}\}/g, '$1')
  if (bare !== inner && !output) yield { as: 'tag', text: bare }
  const head = /^([a-z_]+)(?:\s*\(([^]*)\)|\s+=\s*([^]+))$/.exec(inner)
  if (!output && head?.[1] !== undefined && tags.has(head[1]))
    yield { as: 'tag', text: `${head[1]} ${(head[2] ?? head[3] ?? '').trim()}` }
}

function* ofOutput(inner: string, written: UnreadableMarkup): Generator<Rewrite> {
  const first = /^([a-z_]+)\s+[^|\s]/.exec(inner)?.[1]
  if (first !== undefined && written.tags.has(first)) yield { as: 'tag', text: inner }
  const choice = ternary(inner)
  if (choice !== null)
    yield {
      as: 'whole',
      text: `{% if ${choice.test} %}{{ ${choice.yes} }}{% else %}{{ ${choice.no} }}{% endif %}`,
    }
  for (const text of values(inner, written)) yield { as: 'output', text }
}

function* ofTag(inner: string, written: UnreadableMarkup): Generator<Rewrite> {
  const [, name = '', rest = ''] = /^([^\s(:]*)\s*([^]*)$/.exec(inner) ?? []
  if (name === '//' || name === '/*' || name === '--')
    yield { as: 'tag', text: `# ${rest.replace(/\s*\*\/$/, '')}`.trim() }
  switch (name) {
    case 'assign':
      yield* ofAssign(rest, written)
      break
    case 'set':
    case 'let':
    case 'var':
    case 'const':
      yield { as: 'tag', text: `assign ${rest}` }
      yield* ofAssign(rest, written)
      break
    case 'if':
    case 'unless':
    case 'elsif':
    case 'elif':
    case 'elseif':
      yield* ofCondition(name, rest)
      break
    case 'for':
    case 'foreach':
    case 'tablerow':
      yield* loops(rest, name === 'tablerow' ? name : 'for')
      break
    case 'when':
      yield { as: 'tag', text: `when ${rest.replace(/\s+and\s+/g, ', ').replace(/\s*\|\|?\s*/g, ', ')}` }
      break
    case 'otherwise':
    case 'default':
      yield { as: 'tag', text: 'else' }
      break
    case 'import':
    case 'partial':
    case 'component':
    case 'template':
      yield* callees('render', rest)
      break
    case 'render':
    case 'include':
    case 'include_form':
      yield* callees(name, rest)
      break
    case 'function':
      yield* callees('function', rest, 'result')
      break
    case 'graphql':
      yield* callees('graphql', rest, 'result')
      break
    case 'background':
      yield* callees('background', rest, 'job')
      break
    case 'echo':
    case 'print':
    case 'return':
      for (const text of values(rest.replace(/^=\s*/, ''), written)) yield { as: 'tag', text: `${name} ${text}` }
      break
    case 'sign_in':
      if (/^[\w.]+$/.test(rest)) yield { as: 'tag', text: `sign_in user_id: ${rest}` }
      break
  }
  if (!written.tags.has(name)) {
    // A write without its `assign`, or a value in the wrong delimiters.
    if (/^[a-z_][\w.[\]"']*\s*(?:=(?!=)|<<)/i.test(inner)) yield { as: 'tag', text: `assign ${inner}` }
    else if (new RegExp(`^${VALUE}(?:\\s*\\|[^]*)?$`).test(inner) && /[.|[]/.test(inner))
      yield { as: 'output', text: inner }
  }
}

/** `name` is that of a tag with a condition, perhaps one of another language. */
function* ofCondition(name: string, rest: string): Generator<Rewrite> {
  for (const text of conditions(rest)) {
    if (name === 'if' && text.startsWith('unless ')) yield { as: 'tag', text }
    else if (name === 'unless' && text.startsWith('unless ')) yield { as: 'tag', text: `if ${text.slice(7)}` }
    else if (!text.startsWith('unless ')) yield { as: 'tag', text: `${name.startsWith('el') ? 'elsif' : name} ${text}` }
  }
  if (name === 'if' || name === 'unless') {
    const filtered = new RegExp(
      `^(${VALUE})\\s*\\|\\s*([a-z_]+)((?::[^=<>!]*?)?)(\\s*(?:[=<>!]=?|contains\\s)[^|]*)?$`,
    ).exec(rest)
    if (filtered !== null)
      yield {
        as: 'whole',
        text: `{% assign ${filtered[2]} = ${filtered[1]} | ${filtered[2]}${filtered[3]} %}{% ${name} ${filtered[2]}${filtered[4] ?? ''} %}`,
      }
  }
}

function* ofAssign(rest: string, written: UnreadableMarkup): Generator<Rewrite> {
  const counted = /^([\w.]+)\s*(?:\+\+|--)$/.exec(rest)
  if (counted !== null)
    yield { as: 'tag', text: `assign ${counted[1]} = ${counted[1]} | ${rest.endsWith('+') ? 'plus' : 'minus'}: 1` }
  const changed = /^([\w.]+)\s*([-+*/%])=\s*([^]+)$/.exec(rest)
  if (changed !== null)
    yield {
      as: 'tag',
      text: `assign ${changed[1]} = ${changed[1]} | ${changed[2] === '+' && /^["']/.test(changed[3] ?? '') ? 'append' : ARITHMETIC[changed[2] ?? '']}: ${changed[3]}`,
    }
  const pushed = /^([\w.]+)\.(?:push|add|append)\s*\(?([^]*?)\)?$/.exec(rest)
  if (pushed !== null) yield { as: 'tag', text: `assign ${pushed[1]} << ${pushed[2]?.trim()}` }
  const target = /^(["']?)([A-Za-z_][\w.-]*(?:\.?\[[^\]]*\])*)\1\s*(?::=|={1,3}|:|\s)\s*([^]+)$/.exec(rest)
  if (target === null) return
  const name = (target[2] ?? '').replaceAll('.[', '[').replace(/^\$/, '')
  const value = target[3] ?? ''
  if (rest !== `${name} = ${value}`) yield { as: 'tag', text: `assign ${name} = ${value}` }
  const choice = ternary(value)
  if (choice !== null)
    yield {
      as: 'whole',
      text: `{% if ${choice.test} %}{% assign ${name} = ${choice.yes} %}{% else %}{% assign ${name} = ${choice.no} %}{% endif %}`,
    }
  for (const text of values(value, written)) yield { as: 'tag', text: `assign ${name} = ${text}` }
}

function ternary(text: string): { test: string; yes: string; no: string } | null {
  const found = new RegExp(`^([^?{}|]+?)\\s*\\?\\s*(${VALUE})\\s*:\\s*(${VALUE})$`).exec(text)
  return found === null ? null : { test: found[1] ?? '', yes: found[2] ?? '', no: found[3] ?? '' }
}

/** A value with its filters, in ways that can be read. */
function* values(text: string, { filters }: UnreadableMarkup): Generator<string> {
  const steps: ((text: string) => string)[] = [
    (all) => all.replace(/^\{\s*([^{}:]+?)\s*\}?$/, '$1'),
    (all) => all.replace(/(^|[\s:,])[$@](?=[a-z_])/gi, '$1'),
    (all) => all.replace(/(\w)(?:-\s*>|\?\.|&\.|::)(?=[a-z_])/gi, '$1.'),
    (all) => all.replace(/\|\|(?=\s*([a-z_]+)\b)/g, (bars, name: string) => (filters.has(name) ? '|' : bars)),
    (all) => all.replace(/\s*(?:\|\||\?\?)\s*/g, ' | default: '),
    (all) => methods(all, filters),
    (all) => arithmetic(all),
    (all) => all.replace(/\|\s*([a-z_]\w*)\s*\(\s*\)/gi, '| $1'),
    (all) => all.replace(/\|\s*([a-z_]\w*)\s*\(([^()]*)\)/gi, '| $1: $2'),
    (all) => all.replace(/\|\s*([a-z_]\w*)\s*=\s*/gi, '| $1: '),
    (all) => all.replace(/\|\s*([a-z_]\w*)\s+(?=["'\w-])/gi, '| $1: '),
    (all) => spaced(all),
    (all) => before(all, filters),
    (all) =>
      all.replace(new RegExp(`^(${VALUE})\\s+([a-z_]+)\\b`), (whole, value: string, name: string) =>
        filters.has(name) ? `${value} | ${name}` : whole,
      ),
    (all) => all.replace(/'([^'"\n]*\w)'(\w[^'"\n|,:]*)'/g, `"$1'$2"`),
    (all) => literal(all),
    (all) => bracketed(all),
    (all) => all.replace(/\|\s*$/, '').trim(),
  ]
  let all = text
  for (const step of steps) {
    const one = step(text)
    if (one !== text) yield one
    all = step(all)
  }
  if (all !== text) yield all
}

/** `x.trim()` and `x.join(', ')`. */
function methods(text: string, filters: ReadonlySet<string>): string {
  return text.replace(/\.([a-zA-Z_]+)\(([^()]*)\)/g, (whole, name: string, given: string) => {
    const known = given.trim() === '' && Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
    if (known !== undefined) return known
    return filters.has(name) ? ` | ${name}${given.trim() === '' ? '' : `: ${given.trim()}`}` : whole
  })
}

function arithmetic(text: string): string {
  const found = new RegExp(`^(${VALUE})((?:\\s*[-+*/%]\\s*${VALUE})+)(\\s*\\|[^]*)?$`).exec(text)
  if (found === null) return text
  const [, first = '', operations = '', rest = ''] = found
  const texts = /["']/.test(first + operations)
  return `${first}${operations.replace(
    new RegExp(`\\s*([-+*/%])\\s*(${VALUE})`, 'g'),
    (_, sign: string, value: string) => ` | ${texts && sign === '+' ? 'append' : ARITHMETIC[sign]}: ${value}`,
  )}${rest}`
}

/** Arguments of a filter without a comma between them. */
function spaced(text: string): string {
  return text.replace(
    /(\|\s*[a-z_]\w*:)([^|]*)/g,
    (_, head: string, given: string) =>
      head + given.replace(new RegExp(`(${TEXT}|\\d)(\\s+)(?=${TEXT}|[\\w-])`, 'g'), '$1,$2'),
  )
}

/** `upcase x`, `t('key')`: the filter comes behind the value. */
function before(text: string, filters: ReadonlySet<string>): string {
  const found = new RegExp(
    `^([a-z_]+)(?:\\s*\\(\\s*(${VALUE})\\s*(?:,\\s*([^()]*))?\\)|\\s+(${VALUE})\\s*(?:,\\s*([^|]*))?)(\\s*\\|[^]*)?$`,
  ).exec(text)
  if (found === null || !filters.has(found[1] ?? '')) return text
  const given = found[3] ?? found[5]
  return `${found[2] ?? found[4]} | ${found[1]}${given === undefined ? '' : `: ${given.trim()}`}${found[6] ?? ''}`
}

/** Hash and array literals as JSON has them. */
function literal(text: string): string {
  if (!/^[{[]/.test(text)) return text
  return text
    .replace(/'([^'"\n]*)'/g, '"$1"')
    .replace(/("\w+"|\b[a-z_]\w*)\s*=>?\s*/g, '$1: ')
    .replace(/([^\s,{[:])(\s*\n\s*)(?=["{[]|[a-z_]+:)/g, '$1,$2')
    .replace(/,(\s*[}\]])/g, '$1')
    .replace(/,\s*$/, '')
}

/** With the brackets that are missing at its end. */
function bracketed(text: string): string {
  const bare = text.replace(new RegExp(TEXT, 'g'), (found) => ' '.repeat(found.length))
  const missing: string[] = []
  for (const char of bare) {
    if (char === '[') missing.unshift(']')
    else if (char === '{') missing.unshift('}')
    else if (char === '(') missing.unshift(')')
    else if (char === missing[0]) missing.shift()
  }
  if (missing.length === 0) return text
  const pipe = bare.indexOf('|')
  const end = pipe < 0 ? text.length : pipe
  return `${text.slice(0, end).trimEnd().replace(/,$/, '')}${missing.join('')}${pipe < 0 ? '' : ` ${text.slice(pipe)}`}`
}

/** Conditions; one that begins with `unless ` is the negation of a whole `if`. */
function* conditions(text: string): Generator<string> {
  const lone = new RegExp(`^(?:!|not\\s+)\\s*\\(?\\s*(${VALUE})\\s*\\)?$`, 'i').exec(text)
  if (lone !== null) yield `unless ${lone[1]}`
  const steps: ((text: string) => string)[] = [
    (all) => all.replace(/\s+(?:then|do)$|\s*:$/i, ''),
    (all) => all.replace(/\s*&&?\s*/g, ' and ').replace(/\s*\|\|\s*/g, ' or '),
    (all) => all.replace(/\s+AND\s+/g, ' and ').replace(/\s+OR\s+/g, ' or '),
    (all) => all.replace(new RegExp(`(^|\\s)(?:!|not\\s+)\\s*(${VALUE})(?=\\s|$)`, 'g'), '$1$2 == false'),
    (all) => COMPARISONS.reduce((done, [from, to]) => done.replace(from, to), ` ${all} `).trim(),
    (all) => all.replace(/(\w)\s*===?\s*/g, '$1 == ').replace(/(\w)\s*!==?\s*/g, '$1 != '),
    (all) => all.replace(/(\w)\s*=\s*(?=["'\w])/g, '$1 == '),
    (all) => all.replace(new RegExp(`(${VALUE})\\s+in\\s+(${VALUE})`, 'g'), '$2 contains $1'),
    (all) =>
      all.replace(/\.([a-zA-Z_]+)\(\s*\)/g, (whole, name: string) =>
        METHODS[name]?.startsWith('.') ? METHODS[name] : whole,
      ),
    (all) => all.replace(/(\w)\.(?:includes|include\?|contains)\(\s*([^()]*?)\s*\)/g, '$1 contains $2'),
    (all) =>
      all.replace(
        new RegExp(`(${VALUE})(\\s*(?:[<>]=?|[=!]=)\\s*${VALUE}\\s+(?:and|or)\\s+)(?=[<>=!])`, 'g'),
        '$1$2$1 ',
      ),
    (all) => all.replace(/^\(([^()]*)\)$/, '$1'),
    (all) => all.replace(/(?:->|\?\.)/g, '.').replace(/(^|\s)\$(?=\w)/g, '$1'),
    (all) =>
      all
        .replace(/\.(?:blank|empty)\?/g, ' == blank')
        .replace(/\.(?:present|any)\?/g, ' != blank')
        .replace(/\.nil\?/g, ' == nil'),
    (all) => all.replace(/\b(?:undefined|None|NULL)\b/g, 'nil'),
  ]
  let all = text
  for (const step of steps) {
    const one = step(text)
    if (one !== text) yield one.trim()
    all = step(all).trim()
  }
  if (all !== text) yield all
}

function* loops(rest: string, name: string): Generator<Rewrite> {
  const inside = rest.replace(/^\(([^]*)\)$/, '$1').trim()
  const swapped = new RegExp(`^(${VALUE})\\s+as\\s+(\\w+)\\s*([^]*)$`).exec(inside)
  if (swapped !== null) yield { as: 'tag', text: `${name} ${swapped[2]} in ${swapped[1]} ${swapped[3]}`.trim() }
  const item = inside.replace(/^(?:let|const|var)\s+/, '')
  const plain = item
    .replace(/^\(?\s*(\w+)\s*,\s*\w+\s*\)?\s+(?:in|of)\s/, '$1 in ')
    .replace(/^(\w+)\s+(?:of|=|:)\s+/, '$1 in ')
  const list = plain.replace(/\s+in\s+\{\{\s*([^{}]*?)\s*\}\}/, ' in $1')
  if (list !== rest) yield { as: 'tag', text: `${name} ${list}` }
  const given = list.replace(/\b(limit|offset|cols)\s*=\s*/g, '$1: ').replace(/\s+limit\s+(?=\w)/, ' limit: ')
  if (given !== list) yield { as: 'tag', text: `${name} ${given}` }
  const filtered = new RegExp(`^(\\w+)\\s+in\\s+(${VALUE})\\s*(\\|[^]*)$`).exec(list)
  if (filtered !== null) {
    const words = /\|\s*(\w+)/.exec(filtered[3] ?? '')?.[1] ?? 'list'
    const chosen = /^sort/.test(words) ? 'sorted' : words === 'reverse' ? 'reversed' : 'chosen'
    yield {
      as: 'whole',
      text: `{% assign ${chosen} = ${filtered[2]} ${filtered[3]} %}{% ${name} ${filtered[1]} in ${chosen} %}`,
    }
  }
}

/** Tags that call something by its name; `result` names the variable that such a tag needs. */
function* callees(name: string, rest: string, result?: string): Generator<Rewrite> {
  const steps: ((text: string) => string)[] = [
    (all) => all.replace(/^\(([^]*)\)$/, '$1').trim(),
    (all) => (result === undefined || /^[\w.[\]"]+\s*=(?!=)/.test(all) ? all : `${result} = ${all}`),
    (all) => all.replace(/^((?:\w+\s*=\s*)?)([a-z_]\w*(?:\/[\w-]+)+)/i, "$1'$2'"),
    (all) => all.replace(/(["'])\s*,?\s*\{([^{}]*)\}\s*$/, '$1, $2').trim(),
    (all) => all.replace(/,(\s*\w+)\s*=\s*/g, ',$1: '),
    (all) => all.replace(/,\s*([a-z_]\w*)\s*(?=,|$)/g, ', $1: $1'),
  ]
  let all = rest
  for (const step of steps) {
    all = step(all)
    yield { as: 'tag', text: `${name} ${all}` }
  }
}
