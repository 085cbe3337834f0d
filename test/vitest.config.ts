/** Tests: every `*.test.ts` below this folder, from the project's root. Benchmarks are scripts of their own (`npm run bench`). */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Files that start no process and change nothing of their own: they share what is loaded, which takes longer than most of them. */
const SHARING = [
  'test/compiler/**/*.test.ts',
  'test/runtime/**/*.test.ts',
  'test/{cases,conformance,diagnostics,docs-settings,filters,limits,mutants,operation-types,rejections}.test.ts',
]

const common = { root, pool: 'forks', testTimeout: 30_000, hookTimeout: 60_000 } as const

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/postgres.ts'],
    // Half of a file's time is waiting for processes that it started, so three files share two cores well.
    maxWorkers: 3,
    projects: [
      { root, test: { ...common, name: 'alone', include: ['test/**/*.test.ts'], exclude: SHARING } },
      { root, test: { ...common, name: 'sharing', include: SHARING, isolate: false } },
    ],
  },
})
