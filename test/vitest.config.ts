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
  'test/runtime/filters-hostile.test.ts',
  'test/server/accounts/sign-in.test.ts',
  'test/server/store/{embedded,connection}.test.ts',
  'test/server/load.test.ts',
]

/** Files that take the longest, however short they are: whichever of them began last would be waited for alone. */
const FIRST = [
  'site-fuzz',
  'server/jobs/recovery',
  'server/store/killed',
  'browser/accounts',
  'browser/jobs',
  'server/data/command',
  'server/releases/database',
  'server/releases/folder',
  'production-chapter',
  'server/jobs/runner',
  'browser/password',
  'dev',
  'server/releases/tables',
  'server/jobs/migrations',
  'server/jobs/broken',
  'form-renames',
  'rename',
].map((name) => `/test/${name}.test.ts`)

/** Begins with those; the others follow as Vitest has them, the largest first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = FIRST.findIndex((name) => moduleId.endsWith(name))
      return at === -1 ? FIRST.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** What a test or a hook waits for may take many times as long where other programs run beside it. */
const patience = { testTimeout: 240_000, hookTimeout: 480_000, expect: { poll: { timeout: 60_000 } } }

const common = { root, pool: 'forks', ...patience } as const

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/postgres.ts'],
    // Half of a file's time is waiting for processes that it started, so four files share two cores well.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      { root, test: { ...common, name: 'alone', include: ALONE } },
      { root, test: { ...common, name: 'sharing', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false } },
    ],
  },
})
