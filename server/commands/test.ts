/** `ingot test [FILES]`: runs the tests of a site, each in a transaction that is rolled back. */
import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import picocolors from 'picocolors'
import { nearest } from '../../runtime/data/query/suggest.ts'
import type { StatusLine } from '../../runtime/data/status-line.ts'
import { readCommandLine } from '../core/command-line.ts'
import { StartError } from '../core/start-error.ts'
import { formatCoverage, testedCoverage } from '../tools/testing/coverage.ts'
import type { TestCase, TestResult } from '../tools/testing/model.ts'
import { formatJunit, formatResult, formatSummary } from '../tools/testing/report.ts'
import { selectTests } from '../tools/testing/select-tests.ts'
import type { SiteTests } from '../tools/testing/site-tests.ts'
import { watchTests } from '../tools/testing/watch.ts'

/** The parsed command line. @internal Exported for tests. */
export interface TestArguments {
  /** Folder of the site. */
  readonly dir: string
  /** Files and folders in the site, or names of tests; empty for all. */
  readonly chosenFiles: readonly string[]
  readonly filter: string | null
  readonly watch: boolean
  readonly reporter: 'text' | 'junit' | 'json'
  /** File that receives JUnit XML, in addition to the printed report. */
  readonly junit: string | null
  readonly coverage: boolean
}

export interface TestOutput {
  readonly out: (text: string) => void
  readonly print: (text: string) => void
  readonly color: boolean
  /** Shows the progress; null when the output is not a terminal. */
  readonly status: StatusLine | null
}

const OPTIONS = { switches: ['watch', 'coverage'], values: ['filter', 'reporter', 'junit'] }
const REPORTERS = ['text', 'junit', 'json'] as const

/**
 * Runs the command.
 * @param args the arguments after `test`
 * @param open opens the tests of the site in a folder
 * @returns the exit code: 1 when a test has failed
 * @throws StartError
 */
export async function testCommand(
  args: readonly string[],
  open: (dir: string) => Promise<SiteTests>,
  output: TestOutput,
): Promise<number> {
  const line = readTestLine(args)
  const tests = await open(line.dir)
  try {
    return await (line.watch
      ? watchTests(line.dir, () => runTests(line, tests, output), output.print)
      : runTests(line, tests, output))
  } finally {
    output.status?.clear()
    await tests.close()
  }
}

/**
 * Parses the arguments after `ingot test`.
 * @throws StartError
 * @internal Exported for tests.
 */
export function readTestLine(args: readonly string[]): TestArguments {
  const { words, has, value } = readCommandLine('ingot test', args, OPTIONS)
  const reporter = REPORTERS.find((each) => each === (value('reporter') ?? 'text'))
  if (reporter === undefined)
    throw new StartError(`There is no reporter '${value('reporter')}': give ${REPORTERS.join(', ')}.`)
  return {
    ...parsePaths(words),
    ...{ filter: value('filter'), watch: has('watch'), reporter },
    ...{ junit: value('junit'), coverage: has('coverage') },
  }
}

/** Folders that mark the root of a site. */
const SITE_FOLDERS = ['app', 'marketplace_builder', 'modules']

function isSite(folder: string): boolean {
  return SITE_FOLDERS.some((name) => isFolder(join(folder, name)))
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** Returns the site of the given files and folders, and their paths in it. Words that are not paths are names of tests. */
function parsePaths(words: readonly string[]): Pick<TestArguments, 'dir' | 'chosenFiles'> {
  let dir: string | null = null
  const chosenNames: string[] = []
  for (const word of words) {
    const root = existsSync(word) ? findSiteRoot(resolve(word)) : null
    if (root !== null && dir !== null && root !== dir)
      throw new StartError(`'${word}' belongs to another site than '${dir}': run the command once for each site.`)
    dir = root ?? dir
    const path = root === null ? word : relative(root, resolve(word)).split(sep).join('/')
    if (path !== '') chosenNames.push(path)
  }
  return { dir: dir ?? '.', chosenFiles: chosenNames }
}

/** Returns the nearest folder at or above a path that is the root of a site. @throws StartError when there is none */
function findSiteRoot(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (isSite(at)) return at
    if (dirname(at) === at)
      throw new StartError(`'${path}' does not belong to a site: give a path in a folder that has an \`app\` folder.`)
  }
}

/** Compiles the site, and runs the selected tests. @returns the exit code @internal Exported for tests. */
export async function runTests(line: TestArguments, site: SiteTests, output: TestOutput): Promise<number> {
  const { out, print, status } = output
  status?.during('Compiling')
  const startedAt = performance.now()
  const compiledTests = await site.compile()
  const allTests = await compiledTests.tests()
  const tests = selectTests(allTests, line)
  status?.clear()
  if (tests.length === 0) {
    print(noTestsMessage(allTests, line))
    return allTests.length === 0 && line.chosenFiles.length === 0 ? 0 : 2
  }
  const colors = picocolors.createColors(output.color)
  let doneCount = 0
  const onResult = (result: TestResult): void => {
    doneCount++
    status?.clear()
    if (line.reporter === 'text') out(formatResult(result, colors))
    status?.show(() => `${doneCount} of ${tests.length} …`)
  }
  const { results, coverage } = await compiledTests.run(tests, { onResult, coverage: line.coverage })
  status?.clear()
  const time = performance.now() - startedAt
  if (line.reporter === 'junit') out(formatJunit(results, time))
  else if (line.reporter === 'json') out(`${JSON.stringify({ milliseconds: Math.round(time), results }, null, 2)}\n`)
  else out(`\n${formatSummary(results, time, colors)}`)
  const files = tests.map(({ file }) => file)
  const table = coverage === null ? '' : formatCoverage(testedCoverage(coverage, files))
  if (table !== '') (line.reporter === 'text' ? out : print)(`\n${table}`)
  if (line.junit !== null) await writeFile(line.junit, formatJunit(results, time))
  return results.some(({ failures }) => failures.length > 0) ? 1 : 0
}

function noTestsMessage(tests: readonly TestCase[], { chosenFiles, filter }: TestArguments): string {
  if (tests.length === 0)
    return 'The site has no tests yet: add a partial whose name ends in `_test`, such as app/lib/test/dish_test.liquid.\n'
  const [first] = chosenFiles
  const similarName =
    first === undefined
      ? null
      : nearest(
          first,
          tests.flatMap(({ name, file }) => [name, file]),
        )
  const what = first === undefined ? `whose name contains '${filter}'` : `in '${chosenFiles.join("', '")}'`
  return `There is no test ${what}${similarName === null ? ` among the ${tests.length} tests of the site.` : `: did you mean '${similarName}'?`}\n`
}
