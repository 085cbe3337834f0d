/** A template as statements, which can be dropped one by one and printed in more than one way. */

/** A call of a partial. Its name and its kind are no part of its text, so that the same site can be written with other calls. */
export interface Call {
  readonly kind: 'call'
  /** Unlike that of any other call of the site. */
  readonly id: number
  readonly by: 'render' | 'include' | 'function' | 'background'
  readonly partial: string
  /** What a function or a job is assigned to; null for the others. */
  readonly target: string | null
  /** What follows the name: arguments, `with` and `for`. */
  readonly more: string
}

export interface Branch {
  readonly open: string
  readonly body: readonly Statement[]
}

export type Statement =
  /** Words between tags. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly value: string }
  | { readonly kind: 'tag'; readonly markup: string }
  | Call
  /** `if` to `endif`. The body may be empty, and a branch but the first may be left out. */
  | { readonly kind: 'block'; readonly branches: readonly Branch[]; readonly end: string }
  /** An element with an attribute, whose value the statements print. */
  | { readonly kind: 'attribute'; readonly body: readonly Statement[] }
  /** A tag whose body is no template, or not one of statements: `parse_json`, an inline query. */
  | { readonly kind: 'verbatim'; readonly text: string }

/** How a call writes the name of its partial: as a text, or as a variable of which more and more is unknown. */
export type Naming = 'literal' | 'constant' | 'pattern' | 'open'

export interface Style {
  naming(call: Call): Naming
  /** Another way to print the same partial; `render` and the like where it is as the call says. */
  by(call: Call): Call['by'] | 'captured'
  /** Statements as lines of one `liquid` tag, where all of them can stand there. */
  readonly lines: boolean
}

/** As the site was made. */
export const WRITTEN: Style = { naming: () => 'literal', by: (call) => call.by, lines: false }

/** Name of the function that gives the text of a partial. */
export const textOf = (partial: string): string => `${partial}_text`

/** Where a page finds the name of a partial that only the request knows. */
export const openName = (partial: string): string => `context.params.call_${partial}`

export function printed(statements: readonly Statement[], style: Style): string {
  return style.lines && statements.every(fitsLine)
    ? `{% liquid\n${statements.map((each) => printOne(each, style, LINES)).join('')}%}`
    : statements.map((each) => printOne(each, style, TAGS)).join('')
}

interface Delimiters {
  tag(markup: string): string
  output(value: string): string
  text(text: string): string
}

const TAGS: Delimiters = {
  tag: (markup) => `{% ${markup} %}`,
  output: (value) => `{{ ${value} }}`,
  text: (text) => text,
}

const LINES: Delimiters = {
  tag: (markup) => `${markup}\n`,
  output: (value) => `echo ${value}\n`,
  text: (text) => `echo '${text}'\n`,
}

function fitsLine(statement: Statement): boolean {
  if (statement.kind === 'block') return statement.branches.every(({ body }) => body.every(fitsLine))
  return statement.kind !== 'verbatim' && statement.kind !== 'attribute'
}

function printOne(statement: Statement, style: Style, as: Delimiters): string {
  const all = (body: readonly Statement[]) => body.map((each) => printOne(each, style, as)).join('')
  switch (statement.kind) {
    case 'text':
      return as.text(statement.text)
    case 'output':
      return as.output(statement.value)
    case 'tag':
      return as.tag(statement.markup)
    case 'verbatim':
      return statement.text
    case 'attribute':
      return `<i t="${all(statement.body)}">`
    case 'block':
      return `${statement.branches.map(({ open, body }) => as.tag(open) + all(body)).join('')}${as.tag(statement.end)}`
    case 'call':
      return printCall(statement, style, as)
  }
}

function printCall(call: Call, style: Style, as: Delimiters): string {
  const by = style.by(call)
  const partial = by === 'captured' ? textOf(call.partial) : call.partial
  // `render` takes no computed name.
  const { before, name } = named(call, by === 'render' ? 'literal' : style.naming(call), partial, as)
  if (by === 'captured') {
    const target = `text_${call.id}`
    return before + as.tag(`function ${target} = ${name}${call.more}`) + as.tag(`print ${target}`)
  }
  const target = call.target === null ? '' : `${call.target} = `
  return before + as.tag(`${by} ${target}${name}${call.more}`)
}

function named(
  call: Call,
  naming: Naming,
  partial: string,
  as: Delimiters,
): { readonly before: string; readonly name: string } {
  const variable = `name_${call.id}`
  if (naming === 'literal') return { before: '', name: `'${partial}'` }
  if (naming === 'open') return { before: '', name: openName(partial) }
  if (naming === 'constant') return { before: as.tag(`assign ${variable} = '${partial}'`), name: variable }
  const [first = '', ...rest] = partial
  const before = as.tag(`assign ${variable} = context.params.${openPart(first)} | append: '${rest.join('')}'`)
  return { before, name: variable }
}

/** Where a page finds the first letter of a name. */
export const openPart = (letter: string): string => `part_${letter}`
