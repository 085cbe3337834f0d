/** The reference's chapter about production. The tests run its commands in order, except those that change the machine. */
import { deployFiles } from '../production/files.ts'
import type { Block, Entry } from './entry.ts'
import { graphqlEntry } from './graphql.ts'
import { example } from './page.ts'
import { parsePage } from './parse-page.ts'
import { figureTables, performancePage } from './performance.ts'
import backup from './production/backup.md'
import container from './production/container.md'
import deployed from './production/deployed.md'
import distributed from './production/distributed.md'
import failover from './production/failover.md'
import howFar from './production/how-far.md'
import installing from './production/installing.md'
import releases from './production/releases.md'
import servers from './production/servers.md'
import sizing from './production/sizing.md'
import tls from './production/tls.md'
import tokens from './production/tokens.md'
import traces from './production/traces.md'
import upgrades from './production/upgrades.md'
import watching from './production/watching.md'
import { topicsEntry } from './topics.ts'
import { variablesEntry } from './variables.ts'

/** The names used in the examples. */
const EXAMPLE_NAMES = { name: 'kitchen', host: 'shop.example' }

/** Where the files that `ingot init --production` writes are installed. */
const INSTALLED_AT: Readonly<Record<string, string>> = {
  'kitchen.service': '/etc/systemd/system/kitchen.service',
  'kitchen.env': '/etc/kitchen.env',
  'nginx.conf': '/etc/nginx/conf.d/kitchen.conf',
  Caddyfile: '/etc/caddy/Caddyfile',
  'kitchen-backup.service': '/etc/systemd/system/kitchen-backup.service',
  'kitchen-backup.timer': '/etc/systemd/system/kitchen-backup.timer',
  Containerfile: 'deploy/Containerfile',
  'Containerfile.dockerignore': 'deploy/Containerfile.dockerignore',
}

/** The benchmarks whose figures the page about sizes shows. */
const SIZES = ['rows', 'sites', 'processes', 'jobs', 'sockets']

/** Returns the pages of the chapter. */
export function productionEntries(): readonly Entry[] {
  const files = fileBlocks()
  return [
    parsePage('production', 'installing', installing, files),
    parsePage('production', 'tls', tls, files),
    variablesEntry(),
    graphqlEntry(),
    topicsEntry(),
    parsePage('production', 'upgrades', upgrades),
    parsePage('production', 'releases', releases),
    parsePage('production', 'deployed', deployed),
    parsePage('production', 'tokens', tokens),
    parsePage('production', 'backup', backup, files),
    parsePage('production', 'sizing', sizing),
    performancePage(),
    sizesPage(),
    parsePage('production', 'servers', servers),
    parsePage('production', 'failover', failover),
    parsePage('production', 'distributed', distributed),
    parsePage('production', 'watching', watching),
    parsePage('production', 'traces', traces),
    parsePage('production', 'container', container, files),
  ]
}

/** Returns the page about sizes: what was measured, what fills up first, and what to do then. @internal Exported for tests. */
export function sizesPage(): Entry {
  const figures = Object.fromEntries(SIZES.map((name) => [name, figureTables(name)]))
  return parsePage('production', 'how-far', howFar, figures)
}

/** Shows the files that `ingot init --production` writes, by name. */
function fileBlocks(): Readonly<Record<string, readonly Block[]>> {
  const files = deployFiles(EXAMPLE_NAMES)
  return Object.fromEntries(
    files.map(({ name, text, description }) => [
      name,
      [example({ [INSTALLED_AT[name] ?? name]: text }, { title: name, description })],
    ]),
  )
}
