/**
 * Configures Vitest: runs every `*.test.ts` below this folder, from the project's root. Benchmarks are separate scripts (`npm run bench`).
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Files whose tests each need a separate process: they change their process or their imports, or measure time, which a heap filled by other
 * files would slow down. All other files share the loaded modules.
 */
const ALONE = [
  'test/runtime/page/filters/hostile.test.ts',
  'test/compiler/core/diagnostics/words.test.ts',
  'test/server/web/accounts/sign-in.test.ts',
  'test/server/data/store/{embedded,connection}.test.ts',
  'test/server/web/site/load.test.ts',
  'test/server/tools/dev/variables.test.ts',
]

/**
 * The files that take longest, in the order in which they start. A long file that starts late would delay the end. Files that mostly wait
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
  'docs/cookbook',
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
 * Starts with the separate files and the long ones. The others follow in the order of Vitest, largest first. A separate file between them
 * would end the shared processes, which have already loaded the modules that all files need.
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

/** Long timeouts, because everything may take many times as long while other programs run on the machine. */
const patience = { testTimeout: 240_000, hookTimeout: 480_000, expect: { poll: { timeout: 60_000, interval: 100 } } }

/** Imports Markdown, stylesheets and HTML as texts, as the build does. */
const texts = {
  name: 'texts',
  enforce: 'pre',
  resolveId: (path: string, importer = '') =>
    /^\..*\.(?:md|css|html)$/.test(path) ? `${join(dirname(importer), path)}?raw` : null,
} as const

// Without `css`, Vitest imports stylesheets as empty texts.
const common = { root, pool: 'forks', css: { include: [/\?raw$/] }, ...patience }

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/support/postgres.ts'],
    // A file spends half of its time waiting for processes that it started, so four workers use two cores well.
    maxWorkers: 4,
    // Caches the transformed sources for the next run, because transforming them takes most of the time until the first test.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      { root, plugins: [texts], test: { ...common, name: 'alone', include: ALONE } },
      {
        root,
        plugins: [texts],
        test: { ...common, name: 'sharing', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false },
      },
    ],
  },
})
