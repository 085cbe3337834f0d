/** Starts the developer's editor at a line of a file, without a shell. */
import { execFile, spawn } from 'node:child_process'
import { basename } from 'node:path'

/** The arguments that open a file at a line, by the name of an editor's command. */
const COLON_LINE = (file: string, line: number): readonly string[] => [`${file}:${line}`]
const GOTO = (file: string, line: number): readonly string[] => ['--goto', `${file}:${line}`]
const LINE_OPTION = (file: string, line: number): readonly string[] => ['--line', String(line), file]
const PLUS_LINE = (file: string, line: number): readonly string[] => [`+${line}`, file]

/** Editors with a window. Those that run in a terminal need one, which a server does not have. */
const GRAPHICAL: Readonly<Record<string, (file: string, line: number) => readonly string[]>> = {
  code: GOTO,
  'code-insiders': GOTO,
  codium: GOTO,
  cursor: GOTO,
  windsurf: GOTO,
  zed: COLON_LINE,
  subl: COLON_LINE,
  idea: LINE_OPTION,
  webstorm: LINE_OPTION,
  phpstorm: LINE_OPTION,
  rubymine: LINE_OPTION,
  kate: LINE_OPTION,
  gedit: PLUS_LINE,
  gvim: PLUS_LINE,
  mvim: PLUS_LINE,
  emacsclient: (file, line) => ['-n', `+${line}`, file],
}

/** The command of each editor that is looked for among the running programs, by the beginning of the program's name. */
const RUNNING: readonly (readonly [program: RegExp, command: string])[] = [
  [/^cursor\b/i, 'cursor'],
  [/^windsurf\b/i, 'windsurf'],
  [/^(?:code - insiders|code-insiders|visual studio code - insiders)\b/i, 'code-insiders'],
  [/^(?:code|visual studio code)$/i, 'code'],
  [/^(?:codium|vscodium)\b/i, 'codium'],
  [/^zed\b/i, 'zed'],
  [/^(?:sublime[_ ]text|subl)\b/i, 'subl'],
  [/^(?:idea|intellij idea)\b/i, 'idea'],
  [/^webstorm\b/i, 'webstorm'],
  [/^phpstorm\b/i, 'phpstorm'],
  [/^rubymine\b/i, 'rubymine'],
  [/^kate$/i, 'kate'],
  [/^gedit$/i, 'gedit'],
]

const LIST_TIMEOUT = 2_000
/** Milliseconds after which an editor that has not failed counts as started. */
const START_TIME = 300

export interface EditorChoice {
  /** `INGOT_EDITOR`: a command with arguments. `{file}` and `{line}` are replaced; without them, the file and line are added. */
  readonly command: string | null
  /** `VISUAL` and `EDITOR`, which are used when they name an editor with a window. */
  readonly usual: readonly (string | undefined)[]
}

/**
 * Opens a file at a line.
 * @param file absolute path
 * @returns the command that was started, or null when no editor was found or started
 */
export async function openInEditor(
  { command, usual }: EditorChoice,
  file: string,
  line: number,
): Promise<string | null> {
  const named = command === null ? [] : [splitCommand(command)]
  const common = usual.map((each) => splitCommand(each ?? '')).filter(([program]) => nameOf(program) in GRAPHICAL)
  for (const words of [...named, ...common]) if (await start(words, file, line)) return words[0] ?? null
  // A command that was set and cannot be started is an error to show, not a reason to start another editor.
  if (command !== null) return null
  for (const program of await runningEditors()) if (await start([program], file, line)) return program
  return null
}

/** Splits a command into words. Words with spaces are quoted. */
function splitCommand(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}

function nameOf(program: string | undefined): string {
  return basename(program ?? '')
    .replace(/\.(?:exe|cmd|bat|sh)$/i, '')
    .toLowerCase()
}

function start([program, ...given]: readonly string[], file: string, line: number): Promise<boolean> {
  if (program === undefined) return Promise.resolve(false)
  const hasPlaces = given.some((each) => each.includes('{file}'))
  const place = (GRAPHICAL[nameOf(program)] ?? COLON_LINE)(file, line)
  const args = hasPlaces
    ? given.map((each) => each.replaceAll('{file}', () => file).replaceAll('{line}', String(line)))
    : [...given, ...place]
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, shell: false })
    const timer = setTimeout(() => done(true), START_TIME)
    child.once('error', () => {
      clearTimeout(timer)
      done(false)
    })
    child.once('spawn', () => child.unref())
    child.once('exit', (code) => {
      clearTimeout(timer)
      done(code === 0)
    })
  })
}

/** Returns the commands of the editors that run now. */
function runningEditors(): Promise<readonly string[]> {
  const [program, ...args] =
    process.platform === 'win32' ? ['tasklist', '/fo', 'csv', '/nh'] : ['ps', '-A', '-o', 'comm=']
  return new Promise((done) => {
    execFile(program ?? 'ps', args, { timeout: LIST_TIMEOUT, maxBuffer: 4 * 1024 * 1024 }, (error, output) => {
      if (error !== null) return done([])
      done(editorsAmong(output.split('\n')))
    })
  })
}

/** Returns the commands of the editors among running programs. @param lines what `ps` or `tasklist` printed. @internal Exported for tests. */
export function editorsAmong(lines: readonly string[]): readonly string[] {
  const names = lines.map((line) => {
    const program = /^"([^"]+)"/.exec(line)?.[1] ?? line.trim()
    // On macOS, the program of an application may have a general name, such as `Electron`.
    return /([^/]+)\.app\/Contents\/MacOS\//.exec(program)?.[1] ?? nameOf(program)
  })
  return RUNNING.filter(([pattern]) => names.some((name) => pattern.test(name))).map(([, command]) => command)
}
