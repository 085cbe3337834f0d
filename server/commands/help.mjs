// The help texts of `ingot`: the overview, and the options of a command.
import { ENVIRONMENT } from '../../runtime/data/environment.mjs'
import { COMMANDS, GROUPS } from '../commands.mjs'

/** The variables of commands that only open a site and its database. */
const SITE_VARIABLES = new Set([
  'DATABASE_URL',
  'INGOT_DATA',
  'INGOT_RELEASES',
  'INGOT_SECRET',
  'INGOT_ENV',
  'INGOT_LOG',
])

/** The variables of commands that call another server. */
const REMOTE_VARIABLES = new Set(['MPKIT_URL', 'MPKIT_TOKEN', 'MPKIT_EMAIL', 'CONFIG_FILE_PATH'])

/** Commands that call another server. */
const REMOTE_COMMANDS = new Set(['deploy', 'sync'])

/** Commands that serve or run jobs. They use all variables. */
const SERVING_COMMANDS = new Set(['serve', 'dev', 'demo', 'worker'])

/** Columns of the output if it is not a terminal, and the largest number of columns that is used. */
const DEFAULT_WIDTH = 100
const MAX_WIDTH = 120
/** The largest width of the left column. A longer entry gets a separate line. */
const MAX_LEFT = 24

/** Returns the overview of all commands. @param {number} [columns] of the terminal */
export function overview(columns) {
  const width = lineWidth(columns)
  const groups = Object.entries(GROUPS).map(([title, names]) => {
    const rows = names.map((name) => ({ left: `ingot ${name}`, right: COMMANDS[name]?.does ?? '' }))
    return `${title}:\n${table(rows, width)}`
  })
  const more = table(
    [
      { left: 'ingot help COMMAND', right: 'print the options of a command, and its environment variables' },
      { left: 'ingot --version', right: 'print the version' },
    ],
    width,
  )
  return `Ingot compiles sites written in Liquid to TypeScript, checks them, and serves them.

${groups.join('\n')}
More:
${more}
Exit codes: 0 success, 1 the site has errors, 2 the command could not run.
`
}

/**
 * Returns the help text of a command: its arguments, its options, and its environment variables.
 * @param {string} name
 * @param {number} [columns] of the terminal
 */
export function commandHelp(name, columns) {
  const width = lineWidth(columns)
  const {
    takes,
    does = '',
    options = [],
    more,
    wing,
  } = /** @type {import('../commands.mjs').Command} */ (COMMANDS[name])
  const { arguments: inputs, flags } = splitOptions(options)
  const sections = [
    wrap(`${`ingot ${name} ${takes}`.trimEnd()}: ${does}`, width, '  ')
      .join('\n')
      .concat('\n'),
    ...(inputs.length === 0 ? [] : [`Arguments:\n${table(inputs, width)}`]),
    ...(flags.length === 0 ? [] : [`Options:\n${table(flags, width)}`]),
    ...(more === undefined ? [] : [wrapText(more, width)]),
    ...(wing === 'server' ? [environment(variablesOf(name), width)] : []),
  ]
  return sections.join('\n')
}

/**
 * Returns the names of a command's environment variables; null for all of them.
 * @param {string} name
 */
function variablesOf(name) {
  if (SERVING_COMMANDS.has(name)) return null
  return REMOTE_COMMANDS.has(name) ? REMOTE_VARIABLES : SITE_VARIABLES
}

/**
 * Splits the lines of options into arguments and options that begin with a dash. Two spaces separate an option from its description.
 * @param {readonly string[]} options
 */
function splitOptions(options) {
  const rows = options.map((line) => {
    const [left = '', ...args] = line.split(/ {2,}/)
    return { left, right: args.join(' ') }
  })
  return {
    arguments: rows.filter(({ left }) => !left.startsWith('-')),
    flags: rows.filter(({ left }) => left.startsWith('-')),
  }
}

/**
 * Formats environment variables by group.
 * @param {ReadonlySet<string> | null} names the variables to print; null for all
 * @param {number} width
 */
function environment(names, width) {
  /** @type {import('../../runtime/data/environment.mjs').VariableGroups} */
  const groups = ENVIRONMENT
  const rowsOf = (/** @type {import('../../runtime/data/environment.mjs').VariableGroups[string]} */ group) =>
    Object.entries(group)
      .filter(([name]) => names === null || names.has(name))
      .map(([left, { description, otherwise = 'none' }]) => ({
        left,
        right: `${description} (${otherwise})`.replaceAll('`', ''),
      }))
  if (names !== null) return `Environment:\n${table(Object.values(groups).flatMap(rowsOf), width)}`
  const parts = Object.entries(groups).map(([title, group]) => `  ${title}:\n${table(rowsOf(group), width, '    ')}`)
  return `Environment:\n${parts.join('\n')}`
}

/**
 * Formats rows in two columns. The right column is wrapped.
 * @param {readonly { readonly left: string, readonly right: string }[]} rows
 * @param {number} width
 * @param {string} [margin]
 */
function table(rows, width, margin = '  ') {
  const longest = Math.max(...rows.map(({ left }) => left.length).filter((length) => length <= MAX_LEFT), 0)
  const indent = margin.length + longest + 2
  return rows
    .map(({ left, right }) => {
      const head = margin + left
      if (right === '') return `${wrap(head, width, '    ').join('\n')}\n`
      const lines = wrap(right, width - indent, '')
      const first =
        head.length + 2 > indent
          ? `${wrap(head, width, '    ').join('\n')}\n${' '.repeat(indent)}`
          : head.padEnd(indent)
      return `${first}${lines.join(`\n${' '.repeat(indent)}`)}\n`
    })
    .join('')
}

/**
 * Wraps each line of a text and keeps its indentation. Text after two spaces is aligned with itself.
 * @param {string} text
 * @param {number} width
 */
function wrapText(text, width) {
  return text
    .split('\n')
    .flatMap((line) => {
      const indent = /^ *(?:\S+ {2,})?/.exec(line)?.[0].length ?? 0
      return wrap(line, width, ' '.repeat(indent))
    })
    .join('\n')
}

/**
 * Wraps a text between words. A word that is longer than the width stays whole.
 * @param {string} text
 * @param {number} width
 * @param {string} indent of the lines after the first
 */
function wrap(text, width, indent) {
  const lines = []
  let line = ''
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = indent + word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines
}

/**
 * Returns the width of the help text in columns.
 * @param {number | undefined} columns of the terminal; undefined when the output is not a terminal
 */
function lineWidth(columns) {
  return Math.min(Math.max(columns ?? DEFAULT_WIDTH, 40), MAX_WIDTH)
}
