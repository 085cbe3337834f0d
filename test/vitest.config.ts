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

/**
 * Files that take longest, in the order of their start. A file that starts late keeps the others waiting at the end. Files that mostly wait
 * (for processes, timeouts and broken connections) alternate with files that compute, so that both cores stay busy.
 */
const FIRST = [
  'server/operate/jobs/runner',
  'product/cli',
  'server/operate/jobs/recovery',
  'server/web/files/image-memory',
  'server/operate/jobs/migrations',
  'server/web/transfer/command',
  'server/operate/releases/database',
  'browser/jobs',
  'server/operate/jobs/broken',
  'server/data/store/crash',
  'docs/production-chapter',
  'browser/accessibility',
  'server/operate/releases/folder',
  'product/conformance',
  'server/operate/releases/tables',
  'docs/docs',
  'server/operate/backup/backup',
  'product/limits',
  'server/operate/observe/traces',
  'product/terminal',
  'server/operate/cluster/serve',
  'package/package',
  'server/operate/backup/command',
  'product/sites',
  'server/web/http/whole-response',
  'browser/docs',
  'server/operate/cluster/drain',
  'core/diagnostics/examples',
  'server/tools/instance/data',
  'filters/documented-examples',
  'server/operate/observe/metrics',
  'product/liquid-spec',
  'product/dev',
  'phases/parse/nesting',
  'server/data/store/killed',
].map((name) => `/${name}.test.ts`)

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
