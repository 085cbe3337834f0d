/** Tests: every `*.test.ts` below this folder, from the project's root. Benchmarks are scripts of their own (`npm run bench`). */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Files that change their process or what they import, and those that time what they run, which a heap that others have filled slows
 * down: each has a process of its own. The others share what is loaded.
 */
const ALONE = [
  'test/runtime/page/filters/hostile.test.ts',
  'test/server/web/accounts/sign-in.test.ts',
  'test/server/data/store/{embedded,connection}.test.ts',
  'test/server/web/site/load.test.ts',
]

/** Files that take long and mostly wait: for processes that start and end, for a silence, for a connection that breaks. */
const WAITING = [
  'server/jobs/recovery',
  'server/jobs/broken',
  'production-chapter',
  'server/operate/jobs/runner',
  'server/operate/jobs/migrations',
  'server/releases/folder',
  'server/releases/tables',
  'server/backup/backup',
  'server/drain',
  'server/serve',
  'dev',
  'server/backup/command',
  'server/observe/traces',
  'server/observe/metrics',
]

/** Files that take long and compute all the while. */
const COMPUTING = [
  'site-fuzz',
  'browser/accounts',
  'server/store/killed',
  'package',
  'server/data/command',
  'browser/jobs',
  'server/releases/database',
  'form-renames',
  'browser/password',
  'terminal',
  'mutants',
  'compiler/nesting',
  'engine/guide',
  'service/rename',
  'browser/accessibility',
  'cases',
  'docs',
  'rename',
]

/**
 * The longest first, however short they are: whichever of them began last would be waited for alone. One that waits beside one that
 * computes, so that the processors have something to do all the while.
 */
const FIRST = COMPUTING.flatMap((name, at) => [WAITING[at] ?? [], name].flat()).map((name) => `/test/${name}.test.ts`)

/**
 * Begins with the files that are alone, and with those; the others follow as Vitest has them, the largest first. In between, a file that is
 * alone would end the processes of those that share them, which have loaded by then what all need.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === 'alone') return -1
      const at = FIRST.findIndex((name) => moduleId.endsWith(name))
      return at === -1 ? FIRST.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** What a test or a hook waits for may take many times as long where other programs run beside it. */
const patience = { testTimeout: 240_000, hookTimeout: 480_000, expect: { poll: { timeout: 60_000, interval: 100 } } }

const common = { root, pool: 'forks', ...patience } as const

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/support/postgres.ts'],
    // Half of a file's time is waiting for processes that it started, so four files share two cores well.
    maxWorkers: 4,
    // What the sources become is kept beside the packages for the next run: to make it is most of what the first test waits for.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      { root, test: { ...common, name: 'alone', include: ALONE } },
      { root, test: { ...common, name: 'sharing', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false } },
    ],
  },
})
