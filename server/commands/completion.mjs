// The scripts of `ingot completion`: they complete commands, their subcommands, options and files in bash, zsh and fish.
import { COMMANDS } from '../commands.mjs'

/**
 * Returns the completion script for a shell; null for an unknown shell.
 * @param {string} shell
 */
export function completionScript(shell) {
  return Object.hasOwn(SCRIPTS, shell) ? (SCRIPTS[shell]?.() ?? null) : null
}

/** @type {Readonly<Record<string, () => string>>} */
const SCRIPTS = { bash, zsh, fish }

/** The names of the shells. */
export const SHELLS = Object.keys(SCRIPTS)

/** Returns the words that may follow each command: subcommands, options, and values of options. */
function entries() {
  return Object.entries(COMMANDS)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, { takes, does = '', options = [] }]) => {
      // An option with a list of values, such as --template starter|blank.
      const choices = [takes, ...options].flatMap((line) => {
        const [, flag = '', values = ''] = /(--[a-z][a-z-]*) ([a-z0-9]+(?:\|[a-z0-9]+)+)/.exec(line) ?? []
        return flag === '' ? [] : [{ flag, values: values.split('|') }]
      })
      const subcommands = /^[a-z]+(?:\|[a-z]+)+/.exec(takes)?.[0].split('|') ?? []
      const flags = [...new Set([takes, ...options].flatMap((line) => line.match(/--[a-z][a-z-]*/g) ?? []))]
      return { name, does, subcommands, flags, choices }
    })
}

/** Returns the options with a list of values, with their commands. */
function choiceCases() {
  return entries().flatMap(({ name, choices }) => choices.map((choice) => ({ name, ...choice })))
}

function bash() {
  const cases = entries().map(
    ({ name, subcommands, flags }) =>
      `    ${name}) words='${subcommands.join(' ')}'; flags='${['--help', ...flags].join(' ')}' ;;`,
  )
  return `# Completion of ingot for bash. Add to ~/.bashrc: eval "$(ingot completion bash)"
_ingot() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words='' flags=''
  local before="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  case "$command $before" in
${choiceCases()
  .map(
    ({ name, flag, values }) =>
      `    '${name} ${flag}') COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word")); return ;;`,
  )
  .join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${entries()
      .map(({ name }) => name)
      .join(' ')} help' -- "$word"))
    return
  fi
  case "$command" in
${cases.join('\n')}
    help) words='${entries()
      .map(({ name }) => name)
      .join(' ')}' ;;
  esac
  if [ "\${word#-}" != "$word" ]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _ingot ingot
`
}

function zsh() {
  const commands = entries().map(({ name, does }) => `    '${name}:${quoted(does)}'`)
  const cases = entries().map(
    ({ name, subcommands, flags }) =>
      `    ${name}) subcommands=(${subcommands.join(' ')}); flags=(${['--help', ...flags].join(' ')}) ;;`,
  )
  return `#compdef ingot
# Completion of ingot for zsh. Add to ~/.zshrc: eval "$(ingot completion zsh)"
_ingot() {
  local -a commands subcommands flags
  commands=(
${commands.join('\n')}
    'help:print the options of a command'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${choiceCases()
  .map(({ name, flag, values }) => `    '${name} ${flag}') compadd ${values.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case "$words[2]" in
    help) _describe command commands; return ;;
  esac
  case "$words[2]" in
${cases.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then
    compadd -a flags
  elif (( CURRENT == 3 && $#subcommands > 0 )); then
    compadd -a subcommands
  else
    _files
  fi
}
compdef _ingot ingot
`
}

function fish() {
  const lines = entries().flatMap(({ name, does, subcommands, flags, choices }) => [
    `complete -c ingot -n __fish_use_subcommand -a ${name} -d '${quoted(does)}'`,
    ...(subcommands.length === 0
      ? []
      : [`complete -c ingot -n '__fish_seen_subcommand_from ${name}' -a '${subcommands.join(' ')}'`]),
    ...flags.map((flag) => {
      const values = choices.find((choice) => choice.flag === flag)?.values ?? []
      const taken = values.length === 0 ? '' : ` -xa '${values.join(' ')}'`
      return `complete -c ingot -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${taken}`
    }),
  ])
  return `# Completion of ingot for fish. Run: ingot completion fish > ~/.config/fish/completions/ingot.fish
${lines.join('\n')}
`
}

/** Quotes a text for single quotes of a shell. @param {string} text */
function quoted(text) {
  return text.replaceAll("'", "'\\''")
}
