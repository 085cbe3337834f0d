/** Tests: every `*.test.ts` below this folder, from the project's root. Benchmarks are scripts of their own (`npm run bench`). */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    pool: 'forks',
    // Half of a file's time is waiting for processes that it started, so three files share two cores well.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
