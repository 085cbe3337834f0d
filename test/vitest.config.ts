/** Tests: every `*.test.ts` below this folder, from the project's root. Benchmarks are scripts of their own (`npm run bench`). */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

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

const common = { root, pool: 'forks', testTimeout: 30_000, hookTimeout: 60_000 } as const

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/postgres.ts'],
    // Half of a file's time is waiting for processes that it started, so three files share two cores well.
    maxWorkers: 3,
    projects: [
      { root, test: { ...common, name: 'alone', include: ALONE } },
      { root, test: { ...common, name: 'sharing', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false } },
    ],
  },
})
